#include <heddle/integrate/semi_implicit_euler.h>

#include <heddle/integrate/step_parameters.h>
#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void SemiImplicitEuler::describe(Describer<SemiImplicitEuler>& d) {
  d.type("semi_implicit_euler", "integrator",
         "Backward Euler with one linear solve a step: robust; damps fast motion, the more the longer the "
         "step.");
  describe_time_step(d);
  d.parameter(
      "lively", &SemiImplicitEuler::lively,
      {.unit = "",
       .doc = "Let cloth swing and spin on instead of braking it, as long as it turns by less than 0.1 rad a "
              "step and does not touch itself."});
  d.include(&SemiImplicitEuler::linear);
}

std::unique_ptr<Integrator> SemiImplicitEuler::build() const {
  return std::make_unique<SemiImplicitEulerIntegrator>(*this);
}

SemiImplicitEulerIntegrator::SemiImplicitEulerIntegrator(const SemiImplicitEuler& parameters)
    : solver_({.linear = parameters.linear, .lively = parameters.lively}) {}

double SemiImplicitEulerIntegrator::advance(std::span<const Vec3> load, std::span<const Vec3> reaction,
                                            double dt, State& state) {
  const std::span<const Vec3> velocity = solver_.velocity(), external = solver_.external();
  state.time += dt;
  ++state.step;
  return ordered_sum(state.particle_count(), 0.0, partial_, [&](int begin, int end) {
    double work = 0;
    for (int i = begin; i < end; ++i) {
      state.v[at(i)] = velocity[at(i)];
      state.x[at(i)] += dt * state.v[at(i)];
      Vec3 impulse = external[at(i)] + dt * reaction[at(i)];
      if (!load.empty()) impulse += dt * load[at(i)];
      work += impulse.dot(state.v[at(i)]);
    }
    return work;
  });
}

StepReport SemiImplicitEulerIntegrator::step(const System& system, const VelocityFilter& filter,
                                             const StepLoads& loads, double dt, State& state,
                                             std::span<Vec3> reaction) {
  StepReport report = solver_.solve(system, filter, loads, StageEquation::backward_euler(state, dt),
                                    {configuration_of(state), dt}, reaction);
  report.outer_work = advance(loads.force, reaction, dt, state);
  return report;
}

StepReport SemiImplicitEulerIntegrator::improve(const System& system, const VelocityFilter& filter,
                                                const StepLoads& loads, double dt,
                                                const Refinement& refinement, State& state) {
  return solver_.improve(system, filter, loads, dt, refinement, state);
}

}  // namespace heddle
