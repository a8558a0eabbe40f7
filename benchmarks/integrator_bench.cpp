// What the same accuracy costs: methods against a baseline in the style of Baraff and Witkin 1998
// (semi-implicit Euler, all implicit, one linearisation, block-diagonal preconditioner, cold start), on
// scenes of more than 10 000 vertices. A fine solution tells the errors. The baseline gets the step at which
// its error is that of the method, and the one of two tolerances with which that is cheaper. Both are then
// timed in turns.
//   integrator_bench [SCENE|all] [RESOLUTION]     scenes: swing, drape, flag, bar

#include <heddle/parallel/scheduler.h>
#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/step.h>

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <stdexcept>

namespace heddle {
namespace {

constexpr double kTime = 0.25;      // s, of each scene
constexpr double kFineStep = 1e-3;  // s, of the reference
constexpr double kBar = 2.5;
constexpr int kRounds = 2;
constexpr int kFirstSteps = 25;  // of the baseline

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
const std::string kBaseline = R"("type": "semi_implicit_euler", "preconditioner": "block_jacobi")";
const std::vector<std::string> kTolerances = {"0.02", "0.002"};  // of the baseline

/// A method with the step that it takes if the scene says nothing, s.
struct Contender {
  std::string name, integrator;
  double step = 0.01;
};

const std::vector<Contender> kContenders = {{"default", R"("type": "semi_implicit_euler")"},
                                            {"auto", R"("type": "auto")", 0.005}};

struct Outcome {
  std::vector<Vec3> end;  // m
  double seconds = 0;     // of processor time, without building
  int pieces = 0, iterations = 0;
};

Outcome run(const std::string& content, const std::string& integrator, int steps) {
  const double step = kTime / steps;
  Result<Simulation> built =
      build_text(fmt::format("{{\"integrator\": {{{}, \"time_step\": {}}}, \"frame_rate\": {}, {}}}",
                             integrator, step, 1 / step, content),
                 "bench.json");
  if (!built) throw std::runtime_error(built.errors().text());
  const std::clock_t start = std::clock();
  const StepSummary summary = advance_to(*built, kTime);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (summary.outcome != StepOutcome::accepted) throw std::runtime_error(summary.reason);
  return {std::move(built->state.x), seconds, summary.pieces, summary.solver_iterations};
}

/// Root of the mean square of distances, m.
double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.size()));
}

void print_row(const std::string& name, int steps, double error, const Outcome& outcome) {
  fmt::print("| {} | {:.5f} | {:.2e} | {} | {} | {:.2f} |\n", name, kTime / steps, error, outcome.pieces,
             outcome.iterations, outcome.seconds);
  std::fflush(stdout);
}

/// A run of the baseline that ends with some error.
struct Match {
  std::string integrator;
  int steps = 0;
  double seconds = 0;  // expected
};

/// The baseline at one tolerance with ever shorter steps; a run is made when it is asked for.
class Baseline {
 public:
  Baseline(const std::string& content, const std::vector<Vec3>& exact, std::string tolerance)
      : content_(content),
        exact_(exact),
        tolerance_(std::move(tolerance)),
        integrator_(kBaseline + ", \"tolerance\": " + tolerance_) {}

  /// Steps with that error, by the slope between two runs.
  Match match(double error) {
    for (size_t k = 0;; ++k) {
      if (k == runs_.size()) extend();
      const Sample& now = runs_[k];
      if (now.error > error && kTime / now.steps > 2 * kFineStep) continue;
      if (k == 0 || now.error > error) return {integrator_, now.steps, now.seconds};
      const Sample& last = runs_[k - 1];
      const double share = std::log(last.error / error) / std::log(last.error / now.error);
      return {integrator_, static_cast<int>(std::lround(last.steps * std::pow(2.0, share))),
              last.seconds * std::pow(now.seconds / last.seconds, share)};
    }
  }

 private:
  struct Sample {
    int steps = 0;
    double error = 0, seconds = 0;
  };

  void extend() {
    const int steps = runs_.empty() ? kFirstSteps : 2 * runs_.back().steps;
    const Outcome outcome = run(content_, integrator_, steps);
    runs_.push_back({steps, distance(outcome.end, exact_), outcome.seconds});
    print_row("baseline to " + tolerance_, steps, runs_.back().error, outcome);
  }

  const std::string& content_;
  const std::vector<Vec3>& exact_;
  std::string tolerance_, integrator_;
  std::vector<Sample> runs_;
};

/// Times as fast as the baseline at equal error.
double compare(const std::string& content, const std::vector<Vec3>& exact, const Contender& contender,
               std::vector<Baseline>& baselines) {
  const int steps = static_cast<int>(std::lround(kTime / contender.step));
  const double error = distance(run(content, contender.integrator, steps).end, exact);
  Match match{.seconds = 1e30};
  for (Baseline& baseline : baselines)
    if (const Match found = baseline.match(error); found.seconds < match.seconds) match = found;
  Outcome best{.seconds = 1e30}, other = best;
  for (int round = 0; round < kRounds; ++round) {
    Outcome one = run(content, match.integrator, match.steps),
            two = run(content, contender.integrator, steps);
    if (one.seconds < other.seconds) other = std::move(one);
    if (two.seconds < best.seconds) best = std::move(two);
  }
  print_row(contender.name, steps, error, best);
  print_row("baseline, equal error", match.steps, distance(other.end, exact), other);
  return other.seconds / best.seconds;
}

void measure(const std::string& scene, int resolution) {
  const std::string content = fmt::format(fmt::runtime(kScenes.at(scene)), resolution);
  const int fine = static_cast<int>(std::lround(kTime / kFineStep));
  const Outcome exact = run(content, kReference, fine), coarser = run(content, kReference, fine / 2);
  fmt::print("\n{}, {} vertices, {} s\n\n", scene, exact.end.size(), kTime);
  fmt::print("| method | step, s | error, m | pieces | iterations | s |\n|---|---|---|---|---|---|\n");
  print_row("reference", fine, 0, exact);
  print_row("reference, twice the step", fine / 2, distance(coarser.end, exact.end), coarser);
  std::vector<Baseline> baselines;
  for (const std::string& tolerance : kTolerances) baselines.emplace_back(content, exact.end, tolerance);
  std::vector<std::string> results;
  for (const Contender& contender : kContenders) {
    const double ratio = compare(content, exact.end, contender, baselines);
    results.push_back(fmt::format("{}: {} is {:.2f} times as fast as the baseline at equal error ({} {:g})",
                                  scene, contender.name, ratio, ratio >= kBar ? "at least" : "LESS THAN",
                                  kBar));
  }
  fmt::print("\n");
  for (const std::string& result : results) fmt::print("{}\n", result);
}

void run_all(const std::string& wanted, int resolution) {
  if (wanted != "all" && !kScenes.contains(wanted))
    throw std::runtime_error("expected swing, drape, flag, bar or all");
  for (const auto& [name, content] : kScenes)
    if (wanted == "all" || wanted == name) measure(name, resolution);
}

}  // namespace
}  // namespace heddle

int main(int count, char** arguments) {
  try {
    heddle::ThreadPool(1).run([&] {
      heddle::run_all(count > 1 ? arguments[1] : "all", count > 2 ? std::atoi(arguments[2]) : 101);
      return 0;
    });
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
