#include <heddle/integrate/symplectic_euler.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

void SymplecticEuler::describe(Describer<SymplecticEuler>& d) {
  d.type("symplectic_euler", "integrator",
         "Forward-backward Euler: new velocities from old positions, then new positions from those; the "
         "cheapest method that keeps energy within bounds.");
  describe_common(d);
}

std::unique_ptr<Integrator> SymplecticEuler::build() const {
  return std::make_unique<SymplecticEulerIntegrator>();
}

void SymplecticEulerIntegrator::predict(const System& system, const VelocityFilter&,
                                        std::span<const Vec3> load, double dt, const State& state) {
  accelerate(system, load, configuration_of(state), end_);
  parallel_for(state.particle_count(), [&](int k) {
    const auto i = static_cast<size_t>(k);
    mean_[i] = end_[i] = state.v[i] + dt * end_[i];
  });
}

}  // namespace heddle
