#include <heddle/integrate/explicit_integrator.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void ExplicitIntegrator::accelerate(const System& system, std::span<const Vec3> load, const Configuration& q,
                                    std::span<Vec3> acceleration) {
  external_.resize(q.x.size());
  system.force(q, acceleration, external_);
  parallel_for(system.particle_count(), [&](int i) {
    if (!load.empty()) acceleration[at(i)] += load[at(i)];
    acceleration[at(i)] /= system.mass()[at(i)];
  });
}

StepReport ExplicitIntegrator::step(const System& system, const VelocityFilter& filter,
                                    const StepLoads& loads, double dt, State& state,
                                    std::span<Vec3> reaction) {
  mean_.resize(state.x.size());
  end_.resize(state.x.size());
  encounters_ = loads.encounters;
  predict(system, filter, loads.force, dt, state);
  StepReport report = contact_.apply(system, filter, loads, dt, mean_, end_, reaction);
  judge(report);
  state.time += dt;
  ++state.step;
  report.outer_work = dt * ordered_sum(state.particle_count(), 0.0, partial_, [&](int begin, int end) {
                        double work = 0;
                        for (int i = begin; i < end; ++i) {
                          Vec3 force = external_[at(i)] + reaction[at(i)];
                          if (!loads.force.empty()) force += loads.force[at(i)];
                          work += force.dot(mean_[at(i)]);
                        }
                        return work;
                      });
  parallel_for(state.particle_count(), [&](int i) {
    state.x[at(i)] += dt * mean_[at(i)];
    state.v[at(i)] = end_[at(i)];
  });
  remember(dt, state);
  return report;
}

StepReport ExplicitIntegrator::improve(const System& system, const VelocityFilter& filter,
                                       const StepLoads& loads, double dt, const Refinement& refinement,
                                       State& state) {
  forget_past(state);
  parallel_for(state.particle_count(),
               [&](int i) { state.v[at(i)] = (state.x[at(i)] - refinement.begin.x[at(i)]) / dt; });
  return solver_.improve_explicit(system, filter, loads, dt, refinement, state);
}

}  // namespace heddle
