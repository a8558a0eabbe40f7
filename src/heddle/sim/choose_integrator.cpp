#include <heddle/sim/choose_integrator.h>

#include <heddle/integrate/bdf.h>
#include <heddle/integrate/semi_implicit_euler.h>
#include <heddle/integrate/step_parameters.h>

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

std::string solver_of(const AutoIntegrator& wanted) {
  return wanted.linear.solver == "direct" ? "the direct solver" : wanted.linear.preconditioner;
}

IntegratorChoice pick(const AutoIntegrator& wanted, const SceneDescription& scene) {
  const SourceLocation& where = scene.integrator.where;
  if (scene.obstacles.empty() && scene.cloths.size() < 2)
    return {
        entity_of(smooth_method(wanted), where),
        "auto: bdf of order 2 with one linear solve by " + solver_of(wanted) +
            ", because nothing touches the cloth but itself: at the cost of semi_implicit_euler its error "
            "is a fraction"};
  return {
      entity_of(SemiImplicitEuler{.time_step = wanted.time_step, .linear = wanted.linear}, where),
      "auto: semi_implicit_euler by " + solver_of(wanted) +
          ", because the cloth may touch obstacles or other cloth: contact leaves methods of second order no "
          "advantage"};
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

}  // namespace heddle
