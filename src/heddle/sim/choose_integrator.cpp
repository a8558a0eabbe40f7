#include <heddle/sim/choose_integrator.h>

#include <heddle/integrate/bdf.h>
#include <heddle/integrate/implicit_euler.h>
#include <heddle/integrate/semi_implicit_euler.h>
#include <heddle/integrate/step_parameters.h>
#include <heddle/sim/registry.h>

namespace heddle {

namespace {

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

/// Rods are so stiff against stretch that one linear solve is not enough.
template <class T>
T for_rods(const AutoIntegrator& wanted) {
  T method;
  method.time_step = wanted.time_step;
  method.linear.solver = wanted.linear.solver;
  method.linear.preconditioner = wanted.linear.preconditioner;
  return method;
}

/// Where cloth lies on cloth, friction would suffer; where edges are too short for the step, contact of cloth
/// that folds as it likes cuts it: the drape of 160 801 vertices took 65 pieces a frame instead of 4.
bool may_be_lively(const SceneDescription& scene, std::span<const ClothPart> cloths, double time_step) {
  const double fall = scene.gravity.norm() * time_step * time_step;
  return cloths.size() == 1 && fall <= kBearableFall * cloths[0].edge_length;
}

IntegratorChoice usual_one(const SceneDescription& scene, std::span<const ClothPart> cloths) {
  SemiImplicitEuler usual;
  usual.lively = may_be_lively(scene, cloths, usual.time_step);
  std::string text = "semi_implicit_euler, the usual one for ";
  if (usual.lively)
    text = "semi_implicit_euler, lively, the usual one for one cloth";
  else
    text += cloths.size() == 1 ? "cloth with edges as short as these" : "several cloths";
  return {entity_of(usual, {}), text};
}

IntegratorChoice pick(const AutoIntegrator& wanted, const SceneDescription& scene,
                      std::span<const ClothPart> cloths) {
  const SourceLocation& where = scene.integrator.where;
  const bool is_alone = scene.obstacles.empty() && scene.bodies.empty();
  if (scene.cloths.empty() && is_alone)
    return {entity_of(for_rods<Bdf>(wanted), where),
            "auto: bdf of order 2, because nothing touches the rods"};
  if (scene.cloths.empty())
    return {entity_of(for_rods<ImplicitEuler>(wanted), where),
            "auto: implicit_euler, because the rods may touch obstacles or bodies"};
  if (is_alone && scene.cloths.size() < 2)
    return {
        entity_of(smooth_method(wanted), where),
        "auto: bdf of order 2 with one linear solve, because nothing touches the cloth but itself: at the "
        "cost of semi_implicit_euler its error is a fraction"};
  return {
      entity_of(SemiImplicitEuler{.time_step = wanted.time_step,
                                  .lively = may_be_lively(scene, cloths, wanted.time_step),
                                  .linear = wanted.linear},
                where),
      "auto: semi_implicit_euler, because the cloth may touch obstacles or other cloth: contact cuts steps "
      "of second order"};
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

IntegratorChoice choose_integrator(const SceneDescription& scene, std::span<const ClothPart> cloths) {
  if (!scene.integrator && scene.cloths.empty())
    return {entity_of(for_rods<ImplicitEuler>({}), {}),
            scene.rods.empty() ? "of rigid bodies only" : "implicit_euler, the usual one for rods"};
  if (!scene.integrator) return usual_one(scene, cloths);
  if (scene.integrator.is<AutoIntegrator>())
    return pick(scene.integrator.as<AutoIntegrator>(), scene, cloths);
  return {scene.integrator, scene.integrator.type() + ", as the scene asks"};
}

IntegratorChoice with_linear_solver(IntegratorChoice choice, const System& system, const State& start,
                                    double dt, bool is_only_rods) {
  const IntegratorEntry& entry = integrator_entry(choice.entity);
  const std::optional<SolverParameters> wanted = entry.linear(choice.entity);
  if (!wanted || (wanted->solver != kAuto && wanted->preconditioner != kAuto)) return choice;
  if (is_only_rods && wanted->solver == kAuto) {
    SolverParameters direct = *wanted;
    direct.solver = "direct";
    direct.preconditioner = "none";
    return {entry.with_linear(choice.entity, direct),
            choice.text + "; linear solver direct, because the matrices of rods are narrow"};
  }
  const SolverChoice solver =
      choose_solver(*wanted, traits_of_system(matrix_of_step(system, start, dt), system.mass()));
  return {entry.with_linear(choice.entity, solver.parameters),
          choice.text + "; linear solver " + solver.reason};
}

}  // namespace heddle
