#include <heddle/integrate/verlet.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void Verlet::describe(Describer<Verlet>& d) {
  d.type("verlet", "integrator",
         "Stoermer and Verlet's method: of second order, keeps energy within bounds over long times.");
  describe_common(d);
  d.parameter(
      "form", &Verlet::form,
      {.unit = "",
       .doc = "velocity: of second order with damping too, two force evaluations a step. leapfrog and "
              "position: one evaluation, damping lags half a step behind.",
       .choices = {"velocity", "leapfrog", "position"}});
}

std::unique_ptr<Integrator> Verlet::build() const {
  if (form == "velocity") return std::make_unique<VelocityVerletIntegrator>();
  return std::make_unique<StaggeredVerletIntegrator>(form == "position");
}

void VelocityVerletIntegrator::predict(const System& system, const VelocityFilter& filter,
                                       std::span<const Vec3> load, double dt, const State& state) {
  const int n = state.particle_count();
  first_.resize(at(n));
  x_.resize(at(n));
  accelerate(system, load, configuration_of(state), first_);
  first_external_ = external_;
  parallel_for(n, [&](int i) {
    mean_[at(i)] = state.v[at(i)] + 0.5 * dt * first_[at(i)];
    end_[at(i)] = state.v[at(i)] + dt * first_[at(i)];
  });
  filter.impose(mean_);
  filter.impose(end_);
  parallel_for(n, [&](int i) { x_[at(i)] = state.x[at(i)] + dt * mean_[at(i)]; });
  second_.resize(at(n));
  accelerate(system, load, {x_, end_, state.time + dt, state.frames}, second_);
  external_ = first_external_;
  // In this order, so that asynchronous stepping with equal steps gives the same bits.
  parallel_for(n, [&](int i) {
    end_[at(i)] = (state.v[at(i)] + 0.5 * dt * first_[at(i)]) + 0.5 * dt * second_[at(i)];
  });
}

double StaggeredVerletIntegrator::recall(const State& state) {
  before_ = state.v;
  if (state.past.empty()) return 0;
  const PastState& past = state.past.front();
  parallel_for(state.particle_count(), [&](int i) {
    before_[at(i)] += by_positions_ ? Vec3(-past.x[at(i)] / past.age) : past.v[at(i)];
  });
  return by_positions_ ? past.age : 2 * past.age;
}

void StaggeredVerletIntegrator::predict(const System& system, const VelocityFilter&,
                                        std::span<const Vec3> load, double dt, const State& state) {
  const double last = recall(state);
  acceleration_.resize(state.x.size());
  accelerate(system, load, configuration_of(state).moved(state.x, before_), acceleration_);
  parallel_for(state.particle_count(), [&](int i) {
    mean_[at(i)] = before_[at(i)] + 0.5 * (last + dt) * acceleration_[at(i)];
    end_[at(i)] = mean_[at(i)] + 0.5 * dt * acceleration_[at(i)];
  });
}

void StaggeredVerletIntegrator::remember(double dt, State& state) {
  state.past.resize(1);
  PastState& past = state.past.front();
  past.age = by_positions_ ? dt : 0.5 * dt;
  std::vector<Vec3>& kept = by_positions_ ? past.x : past.v;
  kept.resize(state.x.size());
  const double factor = by_positions_ ? 0.5 * dt * dt : -0.5 * dt;
  parallel_for(state.particle_count(), [&](int i) { kept[at(i)] = factor * acceleration_[at(i)]; });
}

}  // namespace heddle
