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

/// J: what there is at the start, and what the outer forces there could do along the whole scene.
double energy_scale(const System& system, const State& state) {
  if (state.x.empty()) return 0;
  const Configuration q = configuration_of(state);
  std::vector<Vec3> force(state.x.size()), external(state.x.size());
  system.force(q, force, external);
  Vec3 low = state.x.front(), high = low;
  for (const Vec3& x : state.x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  double sum = 0;
  for (const Vec3& f : external) sum += f.norm();
  return system.kinetic_energy(q) + std::abs(system.inner_energy(q)) + sum * (high - low).norm();
}

/// Takes the steps of a search from the start of a simulation.
bool is_stable(const Simulation& simulation, const Method& method, double dt, const CriticalSearch& search) {
  const System& system = *simulation.model.system;
  State state = simulation.state;
  const auto energy = [&] {
    const Configuration q = configuration_of(state);
    return system.kinetic_energy(q) + system.inner_energy(q);
  };
  const double begin = energy(), limit = search.margin * energy_scale(system, state);
  const auto integrator = method.build();
  VelocityFilter filter(state.particle_count());
  std::vector<Vec3> reaction(state.x.size());
  double work = 0;  // J, from outside
  for (int k = 0; k < search.steps; ++k) {
    filter.clear();
    system.constrain(state, dt, filter);
    const StepReport report = integrator->step(system, filter, {}, dt, state, reaction);
    const bool went = report.outcome == StepOutcome::accepted || report.outcome == StepOutcome::doubtful;
    if (!went || !is_finite(state)) return false;
    system.take_up_turns(state);
    work += report.outer_work;
    if (energy() - begin - work > limit) return false;
  }
  return true;
}

double distance(const State& a, const State& b) {
  double largest = 0;
  for (size_t i = 0; i < a.x.size(); ++i) largest = std::max(largest, (a.x[i] - b.x[i]).norm());
  return largest;
}

/// What counts as exact has a step shorter by this factor than the shortest: with 4, methods of first order
/// would seem to have order 1.2.
constexpr int kFiner = 16;

}  // namespace

Result<Convergence> scene_convergence(const SceneDescription& scene, const Method& method,
                                      const Method& reference, const std::vector<double>& steps,
                                      const Catalogue& catalogue) {
  const double shortest = *std::min_element(steps.begin(), steps.end());
  const Result<Course> exact = run(scene, reference, shortest / kFiner, catalogue);
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

Result<std::optional<double>> scene_critical_step(const SceneDescription& scene, const Method& method,
                                                  const CriticalSearch& search, const Catalogue& catalogue) {
  SceneDescription with_method = scene;
  with_method.integrator = method.entity;
  Diagnostics dropped;
  const Result<Simulation> built = build(with_method, catalogue, dropped);
  if (!built) return built.errors();
  return bisect_step(search, [&](double dt) { return is_stable(*built, method, dt, search); });
}

}  // namespace heddle
