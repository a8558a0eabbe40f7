// What the same accuracy costs: methods against a baseline in the style of Baraff and Witkin 1998
// (semi-implicit Euler, all implicit, one linearisation, block-diagonal preconditioner, cold start), on
// scenes of more than 10 000 vertices. A fine solution tells the errors; the baseline's step is the one at
// which its error is that of the method. Both are then timed in turns.
//   integrator_bench [SCENE|all] [RESOLUTION]     scenes: swing, drape, flag

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

const std::map<std::string, std::string> kScenes = {
    {"swing", R"("cloths": [{{"name": "cloth", "fabric": "cotton",
        "mesh": {{"type": "grid", "size": [1, 1], "resolution": [{0}, {0}]}},
        "pins": [{{"vertices": {{"nearest": [[-0.5, -0.5, 0], [0.5, -0.5, 0]]}}}}]}}])"},
    {"drape", R"("cloths": [{{"name": "cloth", "fabric": "cotton", "translation": [0.04, 0.07, 0.205],
        "mesh": {{"type": "grid", "size": [1, 1], "resolution": [{0}, {0}]}}}}],
        "obstacles": [{{"name": "ball", "shape": {{"type": "sphere", "radius": 0.2}}}}])"},
    {"flag", R"("cloths": [{{"name": "flag", "fabric": "polyester", "rotation": [90, 0, 0],
        "mesh": {{"type": "grid", "size": [1.2, 0.8], "resolution": [{0}, {0}]}},
        "pins": [{{"vertices": {{"uv_box": [[-0.6, -0.4], [-0.6, 0.4]]}}}}]}}],
        "forces": [{{"type": "wind", "velocity": [4, 2, 0]}}])"}};

const std::string kReference = R"("type": "bdf", "newton": "once", "tolerance": 1e-3)";
const std::string kBaseline = R"("type": "semi_implicit_euler", "preconditioner": "block_jacobi")";

/// A method with the step that it is usually given, s.
struct Contender {
  std::string name, integrator;
  double step = 0.01;
};

const std::vector<Contender> kContenders = {
    {"semi_implicit_euler", R"("type": "semi_implicit_euler")"},
    {"bdf, newton once", R"("type": "bdf", "newton": "once", "tolerance": 0.02)"}};

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

/// Steps at which the baseline has that error: shorter ones until it is met, then by the slope between two.
int matching_steps(const std::string& content, const std::vector<Vec3>& exact, double error, int steps) {
  double last = 0;
  for (int count = steps; kTime / count > kFineStep; count *= 2) {
    const Outcome outcome = run(content, kBaseline, count);
    const double now = distance(outcome.end, exact);
    print_row("baseline", count, now, outcome);
    if (now <= error) {
      if (last == 0) return count;
      const double share = std::log(last / error) / std::log(last / now);
      return static_cast<int>(std::lround(0.5 * count * std::pow(2.0, share)));
    }
    last = now;
  }
  return static_cast<int>(kTime / kFineStep);  // not even the finest is as good
}

/// Times as fast as the baseline at equal error.
double compare(const std::string& content, const std::vector<Vec3>& exact, const Contender& contender) {
  const int steps = static_cast<int>(std::lround(kTime / contender.step));
  Outcome best = run(content, contender.integrator, steps);
  const double error = distance(best.end, exact);
  print_row(contender.name, steps, error, best);
  const int others = matching_steps(content, exact, error, steps);
  Outcome baseline{.seconds = 1e30};
  for (int round = 0; round < kRounds; ++round) {
    Outcome one = run(content, kBaseline, others), two = run(content, contender.integrator, steps);
    if (one.seconds < baseline.seconds) baseline = std::move(one);
    if (two.seconds < best.seconds) best = std::move(two);
  }
  print_row("baseline, equal error", others, distance(baseline.end, exact), baseline);
  return baseline.seconds / best.seconds;
}

void measure(const std::string& scene, int resolution) {
  const std::string content = fmt::format(fmt::runtime(kScenes.at(scene)), resolution);
  const Outcome exact = run(content, kReference, static_cast<int>(std::lround(kTime / kFineStep)));
  fmt::print("\n{}, {} vertices; reference of {:.1f} s\n\n", scene, exact.end.size(), exact.seconds);
  fmt::print("| method | step, s | error, m | pieces | iterations | s |\n|---|---|---|---|---|---|\n");
  std::map<std::string, double> ratios;
  for (const Contender& contender : kContenders)
    ratios[contender.name] = compare(content, exact.end, contender);
  for (const auto& [name, ratio] : ratios)
    fmt::print("{}: {} is {:.2f} times as fast as the baseline at equal error ({} {:g})\n", scene, name,
               ratio, ratio >= kBar ? "at least" : "LESS THAN", kBar);
}

void run_all(const std::string& wanted, int resolution) {
  if (wanted != "all" && !kScenes.contains(wanted))
    throw std::runtime_error("expected swing, drape, flag or all");
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
