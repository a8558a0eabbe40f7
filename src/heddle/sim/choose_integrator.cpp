#include <heddle/sim/choose_integrator.h>

#include <heddle/integrate/bdf.h>
#include <heddle/integrate/semi_implicit_euler.h>
#include <heddle/integrate/step_parameters.h>
#include <heddle/sim/registry.h>

namespace heddle {

namespace {

/// Longer lively steps are cut so often in contact that they cost more than they gain, s.
constexpr double kLongestLively = 0.006;

Bdf smooth_method(const AutoIntegrator& wanted) {
  Bdf bdf;
  bdf.time_step = wanted.time_step;
  bdf.linear = wanted.linear;
  bdf.newton = "once";
  return bdf;
}

template <class T>
Entity entity_of(const T& parameters, const SourceLocation& where) {
  return Entity(description_of<T>(), std::make_shared<T>(parameters), where);
}

IntegratorChoice pick(const AutoIntegrator& wanted, const SceneDescription& scene) {
  const SourceLocation& where = scene.integrator.where;
  if (scene.obstacles.empty() && scene.cloths.size() < 2)
    return {
        entity_of(smooth_method(wanted), where),
        "auto: bdf of order 2 with one linear solve, because nothing touches the cloth but itself: at the "
        "cost of semi_implicit_euler its error is a fraction"};
  const bool lively = wanted.time_step <= kLongestLively;
  return {
      entity_of(SemiImplicitEuler{.time_step = wanted.time_step, .lively = lively, .linear = wanted.linear},
                where),
      std::string("auto: semi_implicit_euler") + (lively ? ", lively" : "") +
          ", because the cloth may touch obstacles or other cloth: contact cuts steps of second order" +
          (lively ? ", and at short steps lively ones have half the error" : "")};
}

/// M + h^2 K + h D as the system starts.
BlockMatrix matrix_of_step(const System& system, const State& start, double dt) {
  BlockMatrix matrix(system.pattern()), constant(system.pattern());
  std::vector<Vec3> force(start.x.size()), stiffness_velocity = force, external = force;
  system.constant_matrix(dt * dt, dt, constant);
  system.linearise(configuration_of(start), constant,
                   {.stiffness_scale = dt * dt,
                    .damping_scale = dt,
                    .form = JacobianForm::positive,
                    .matrix = &matrix,
                    .force = force,
                    .stiffness_velocity = stiffness_velocity},
                   external);
  return matrix;
}

}  // namespace

void AutoIntegrator::describe(Describer<AutoIntegrator>& d) {
  d.type("auto", "integrator",
         "The integrator that suits the scene by measurement; the run says which one and why.");
  describe_time_step(d);
  d.include(&AutoIntegrator::linear);
}

std::unique_ptr<Integrator> AutoIntegrator::build() const {
  return smooth_method(*this).build();
}

IntegratorChoice choose_integrator(const SceneDescription& scene) {
  if (!scene.integrator)
    return {Entity(description_of<SemiImplicitEuler>(), description_of<SemiImplicitEuler>().create(), {}),
            "semi_implicit_euler, the usual one"};
  if (scene.integrator.is<AutoIntegrator>()) return pick(scene.integrator.as<AutoIntegrator>(), scene);
  return {scene.integrator, scene.integrator.type() + ", as the scene asks"};
}

IntegratorChoice with_linear_solver(IntegratorChoice choice, const System& system, const State& start,
                                    double dt) {
  const IntegratorEntry& entry = integrator_entry(choice.entity);
  const std::optional<SolverParameters> wanted = entry.linear(choice.entity);
  if (!wanted || (wanted->solver != kAuto && wanted->preconditioner != kAuto)) return choice;
  const SolverChoice solver =
      choose_solver(*wanted, traits_of_system(matrix_of_step(system, start, dt), system.mass()));
  return {entry.with_linear(choice.entity, solver.parameters),
          choice.text + "; linear solver " + solver.reason};
}

}  // namespace heddle
