#include <heddle/study/scene_study.h>

#include <heddle/sim/build.h>
#include <heddle/sim/step.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace heddle {

namespace {

/// The scene at its end.
Result<Course> run(SceneDescription scene, const Method& method, double step, const Catalogue& catalogue) {
  scene.integrator = with_step(method, step, catalogue).entity;
  scene.frame_rate = 1 / step;
  Diagnostics dropped;
  Result<Simulation> built = build(scene, catalogue, dropped);
  if (!built) return built.errors();
  Simulation& simulation = *built;
  const CallCounter counter(*simulation.model.system);
  const auto start = std::chrono::steady_clock::now();
  const StepSummary summary = advance_to(simulation, scene.duration);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return Course{.is_sound = summary.outcome == StepOutcome::accepted && is_finite(simulation.state),
                .end = simulation.state,
                .work = counter.work(*simulation.model.system,
                                     {summary.solver_iterations, summary.row_products}, elapsed.count())};
}

double distance(const State& a, const State& b) {
  double largest = 0;
  for (size_t i = 0; i < a.x.size(); ++i) largest = std::max(largest, (a.x[i] - b.x[i]).norm());
  return largest;
}

}  // namespace

Result<Convergence> scene_convergence(const SceneDescription& scene, const Method& method,
                                      const Method& reference, const std::vector<double>& steps,
                                      const Catalogue& catalogue) {
  const double shortest = *std::min_element(steps.begin(), steps.end());
  const Result<Course> exact = run(scene, reference, shortest / 4, catalogue);
  if (!exact) return exact.errors();
  Convergence result{.method = method.name, .errors = {}};
  for (const double step : steps) {
    const Result<Course> course = run(scene, method, step, catalogue);
    if (!course) return course.errors();
    const double error = course->is_sound && exact->is_sound ? distance(course->end, exact->end)
                                                             : std::numeric_limits<double>::quiet_NaN();
    result.errors.push_back({step, error, course->work});
  }
  return result;
}

}  // namespace heddle
