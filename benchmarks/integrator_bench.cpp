// What the same accuracy costs: what scenes get that name no integrator, against a baseline in the style of
// Baraff and Witkin 1998 (semi-implicit Euler, all implicit, one linearisation, block-diagonal
// preconditioner, cold start), on scenes of more than 10 000 vertices. A fine solution tells the errors; a
// coarser one, how far it can be trusted. The baseline gets the step at which its error is that of the other
// method, and the one of two tolerances with which that is cheaper. Both are then timed in turns. Fails if
// fewer than three scenes reach the bar.
//   integrator_bench [SCENE|all] [RESOLUTION]     scenes: swing, drape, flag, bar

#include <heddle/parallel/scheduler.h>
#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/step.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <stdexcept>

namespace heddle {
namespace {

constexpr double kFineStep = 5e-4;                                // s, of the reference
const std::vector<double> kTimes = {0.05, 0.1, 0.15, 0.2, 0.25};  // s, at which errors are looked at
constexpr double kBar = 2.5;
constexpr int kScenesAtBar = 3;
constexpr int kRounds = 2;
constexpr double kFirstStep = 0.01;     // s, of the baseline
constexpr double kShortestStep = 1e-3;  // s, of the baseline: shorter ones are too near to the reference
/// Scenes are judged at the last time at which the reference is uncertain by at most this share of the error
/// of the baseline at its first step; and methods, if it is by at most that share of their own error.
constexpr double kSureOfBaseline = 0.1, kSureOfMethod = 0.3;

const std::map<std::string, std::string> kScenes = {
    {"swing", R"("cloths": [{{"name": "cloth", "fabric": "cotton",
        "mesh": {{"type": "grid", "size": [1, 1], "resolution": [{0}, {0}]}},
        "pins": [{{"vertices": {{"nearest": [[-0.5, -0.5, 0], [0.5, -0.5, 0]]}}}}]}}])"},
    {"drape", R"("cloths": [{{"name": "cloth", "fabric": "cotton", "translation": [0.04, 0.07, 0.205],
        "mesh": {{"type": "grid", "size": [1, 1], "resolution": [{0}, {0}]}}}}],
        "obstacles": [{{"name": "ball", "shape": {{"type": "sphere", "radius": 0.2}}}}])"},
    {"bar", R"("cloths": [{{"name": "cloth", "fabric": "polyester", "translation": [0.03, 0.1, 0.105],
        "mesh": {{"type": "grid", "size": [1, 1], "resolution": [{0}, {0}]}}}}],
        "obstacles": [{{"name": "bar", "shape": {{"type": "capsule", "radius": 0.1, "length": 1.2}},
        "motion": {{"rotation": [0, 90, 0]}}}}])"},
    {"flag", R"("cloths": [{{"name": "flag", "fabric": "polyester", "rotation": [90, 0, 0],
        "mesh": {{"type": "grid", "size": [1.2, 0.8], "resolution": [{0}, {0}]}},
        "pins": [{{"vertices": {{"uv_box": [[-0.6, -0.4], [-0.6, 0.4]]}}}}]}}],
        "forces": [{{"type": "wind", "velocity": [4, 2, 0]}}])"}};

const std::string kReference = R"("type": "bdf", "newton": "once", "tolerance": 1e-3)";
const std::string kBaseline =
    R"("type": "semi_implicit_euler", "lively": false, "preconditioner": "block_jacobi")";
const std::vector<std::string> kTolerances = {"0.02", "0.002"};  // of the baseline

/// Members of "integrator" in JSON, and steps; without any, scenes get what is usual.
struct Method {
  std::string name, integrator;
  double step = 0;  // s
};

const std::vector<Method> kContenders = {
    {"default", "", 0},
    {"auto", R"("type": "auto")", 0.005},
    {"braked", R"("type": "semi_implicit_euler", "lively": false)", 0.01}};

using Positions = std::vector<Vec3>;  // m

struct Outcome {
  double step = 0;            // s
  std::vector<Positions> at;  // the times that were asked for
  double seconds = 0;         // of processor time, without building
  int pieces = 0, iterations = 0;
};

Simulation build_scene(const std::string& content, const Method& method) {
  const std::string integrator =
      method.integrator.empty()
          ? ""
          : fmt::format("\"integrator\": {{{}, \"time_step\": {}}}, \"frame_rate\": {}, ", method.integrator,
                        method.step, 1 / method.step);
  Result<Simulation> built = build_text("{" + integrator + content + "}", "bench.json");
  if (!built) throw std::runtime_error(built.errors().text());
  return std::move(*built);
}

Outcome run(const std::string& content, const Method& method, const std::vector<double>& times) {
  Simulation sim = build_scene(content, method);
  Outcome outcome{.step = sim.model.step_length()};
  const std::clock_t start = std::clock();
  for (const double time : times) {
    const StepSummary summary = advance_to(sim, time);
    if (summary.outcome != StepOutcome::accepted) throw std::runtime_error(summary.reason);
    outcome.pieces += summary.pieces;
    outcome.iterations += summary.solver_iterations;
    outcome.at.push_back(sim.state.x);
  }
  outcome.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return outcome;
}

/// Root of the mean square of distances, m.
double distance(const Positions& a, const Positions& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.size()));
}

void print_row(const std::string& name, double error, const Outcome& outcome) {
  fmt::print("| {} | {:.5f} | {:.2e} | {} | {} | {:.2f} |\n", name, outcome.step, error, outcome.pieces,
             outcome.iterations, outcome.seconds);
  std::fflush(stdout);
}

/// What is known of a scene: where the cloth is at a time, and how surely.
struct Truth {
  std::string content;
  double time = 0;  // s
  Positions exact;
  double doubt = 0;  // m

  double error(const Outcome& outcome) const { return distance(outcome.at.back(), exact); }
  Outcome run(const Method& method) const { return heddle::run(content, method, {time}); }
};

/// The last time at which the reference is sure enough, and what it says.
Truth find_truth(const std::string& content) {
  const Outcome fine = run(content, {"", kReference, kFineStep}, kTimes),
                coarse = run(content, {"", kReference, 2 * kFineStep}, kTimes),
                baseline = run(content, {"", kBaseline, kFirstStep}, kTimes);
  Truth truth{content, kTimes[0], fine.at[0], distance(fine.at[0], coarse.at[0])};
  fmt::print(
      "| after, s | reference, m from the one with twice the step | baseline with steps of {} s, m |\n"
      "|---|---|---|\n",
      kFirstStep);
  for (size_t k = 0; k < kTimes.size(); ++k) {
    const double doubt = distance(fine.at[k], coarse.at[k]), error = distance(baseline.at[k], fine.at[k]);
    fmt::print("| {} | {:.2e} | {:.2e} |\n", kTimes[k], doubt, error);
    if (doubt <= kSureOfBaseline * error) truth = {content, kTimes[k], fine.at[k], doubt};
  }
  return truth;
}

/// The baseline at one tolerance with ever shorter steps; a run is made when it is asked for.
class Baseline {
 public:
  Baseline(const Truth& truth, std::string tolerance)
      : truth_(truth),
        tolerance_(std::move(tolerance)),
        integrator_(kBaseline + ", \"tolerance\": " + tolerance_) {}

  struct Match {
    Method method;
    double seconds = 0;  // expected
  };

  /// With that error, by the slope between two runs.
  Match match(double error) {
    for (size_t k = 0;; ++k) {
      if (k == runs_.size()) extend();
      const Sample& now = runs_[k];
      if (now.error > error && now.step > 1.99 * kShortestStep) continue;
      if (k == 0 || now.error > error) return {method(now.step), now.seconds};
      const Sample& last = runs_[k - 1];
      const double share = std::log(last.error / error) / std::log(last.error / now.error);
      const double steps = std::round(truth_.time / last.step * std::pow(2.0, share));
      return {method(truth_.time / steps), last.seconds * std::pow(now.seconds / last.seconds, share)};
    }
  }

 private:
  struct Sample {
    double step = 0, error = 0, seconds = 0;
  };

  Method method(double step) const { return {"", integrator_, step}; }

  void extend() {
    const Outcome outcome = truth_.run(method(runs_.empty() ? kFirstStep : runs_.back().step / 2));
    runs_.push_back({outcome.step, truth_.error(outcome), outcome.seconds});
    print_row("baseline to " + tolerance_, runs_.back().error, outcome);
  }

  const Truth& truth_;
  std::string tolerance_, integrator_;
  std::vector<Sample> runs_;
};

/// Times as fast as the baseline at equal error; 0 if the reference cannot tell.
double compare(const Truth& truth, const Method& contender, std::vector<Baseline>& baselines) {
  const double error = truth.error(truth.run(contender));
  Baseline::Match match{.seconds = 1e30};
  for (Baseline& baseline : baselines)
    if (Baseline::Match found = baseline.match(error); found.seconds < match.seconds) match = found;
  Outcome best{.seconds = 1e30}, other = best;
  for (int round = 0; round < kRounds; ++round) {
    Outcome one = truth.run(match.method), two = truth.run(contender);
    if (one.seconds < other.seconds) other = std::move(one);
    if (two.seconds < best.seconds) best = std::move(two);
  }
  print_row(contender.name, error, best);
  print_row("baseline, equal error", truth.error(other), other);
  return truth.doubt <= kSureOfMethod * error ? other.seconds / best.seconds : 0;
}

std::string verdict(double ratio) {
  if (ratio == 0) return "not told apart from the reference";
  return fmt::format("{:.2f} times as fast as the baseline at equal error ({} {:g})", ratio,
                     ratio >= kBar ? "at least" : "LESS THAN", kBar);
}

/// Whether the first contender reaches the bar.
bool measure(const std::string& scene, int resolution) {
  fmt::print("\n{}, {} vertices\n\n", scene, resolution * resolution);
  const Truth truth = find_truth(fmt::format(fmt::runtime(kScenes.at(scene)), resolution));
  fmt::print("\n{} after {} s\n\n", scene, truth.time);
  fmt::print("| method | step, s | error, m | pieces | iterations | s |\n|---|---|---|---|---|---|\n");
  std::vector<Baseline> baselines;
  for (const std::string& tolerance : kTolerances) baselines.emplace_back(truth, tolerance);
  std::vector<double> ratios;
  for (const Method& contender : kContenders) ratios.push_back(compare(truth, contender, baselines));
  fmt::print("\n");
  for (size_t k = 0; k < ratios.size(); ++k)
    fmt::print("{}: {} is {}\n", scene, kContenders[k].name, verdict(ratios[k]));
  std::fflush(stdout);
  return ratios[0] >= kBar;
}

bool run_all(const std::string& wanted, int resolution) {
  if (wanted != "all" && !kScenes.contains(wanted))
    throw std::runtime_error("expected swing, drape, flag, bar or all");
  int count = 0, good = 0;
  for (const auto& [name, content] : kScenes) {
    if (wanted != "all" && wanted != name) continue;
    ++count;
    good += measure(name, resolution) ? 1 : 0;
  }
  const bool holds = good >= std::min(count, kScenesAtBar);
  fmt::print("\nthe default is at least {:g} times as fast as the baseline on {} of {} scenes: {}\n", kBar,
             good, count, holds ? "holds" : "DOES NOT HOLD");
  return holds;
}

}  // namespace
}  // namespace heddle

int main(int count, char** arguments) {
  try {
    return heddle::ThreadPool(1).run([&] {
      return heddle::run_all(count > 1 ? arguments[1] : "all", count > 2 ? std::atoi(arguments[2]) : 101) ? 0
                                                                                                          : 1;
    });
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
