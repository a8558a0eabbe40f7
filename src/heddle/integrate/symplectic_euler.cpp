#include <heddle/integrate/symplectic_euler.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

void SymplecticEuler::describe(Describer<SymplecticEuler>& d) {
  d.type("symplectic_euler", "integrator",
         "Forward-backward Euler: new velocities from old positions, then new positions from those; the "
         "cheapest method that keeps energy within bounds.");
  describe_common(d);
  d.parameter("turning_substeps", &SymplecticEuler::turning_substeps,
              {.unit = "1",
               .doc = "Steps that the segments of rods turn in during one step, with their nodes at rest: "
                      "stiff frames then do not limit the time step.",
               .minimum = 1,
               .maximum = 10000});
}

std::unique_ptr<Integrator> SymplecticEuler::build() const {
  return std::make_unique<SymplecticEulerIntegrator>(turning_substeps);
}

void SymplecticEulerIntegrator::predict(const System& system, const VelocityFilter& filter,
                                        std::span<const Vec3> load, double dt, const State& state) {
  accelerate(system, load, configuration_of(state), end_);
  parallel_for(state.particle_count(), [&](int k) {
    const auto i = static_cast<size_t>(k);
    end_[i] = state.v[i] + dt * end_[i];
    mean_[i] = end_[i];
  });
  if (turning_substeps_ > 1 && !system.turning_particles().empty()) turn(system, filter, load, dt, state);
}

void SymplecticEulerIntegrator::turn(const System& system, const VelocityFilter& filter,
                                     std::span<const Vec3> load, double dt, const State& state) {
  const double h = dt / turning_substeps_;
  kept_external_ = external_;
  x_ = state.x;
  v_ = state.v;
  acceleration_.resize(state.x.size());
  for (int k = 0; k < turning_substeps_; ++k) {
    accelerate(system, load, configuration_of(state).moved(x_, v_), acceleration_);
    for (const int i : system.turning_particles())
      v_[static_cast<size_t>(i)] += h * acceleration_[static_cast<size_t>(i)];
    filter.impose(v_);
    for (const int i : system.turning_particles())
      x_[static_cast<size_t>(i)] += h * v_[static_cast<size_t>(i)];
  }
  for (const int k : system.turning_particles()) {
    const auto i = static_cast<size_t>(k);
    mean_[i] = (x_[i] - state.x[i]) / dt;
    end_[i] = v_[i];
  }
  external_ = kept_external_;
}

}  // namespace heddle
