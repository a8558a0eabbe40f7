#pragma once

#include <heddle/integrate/explicit_integrator.h>

namespace heddle {

/// Stoermer and Verlet's method.
struct Verlet : ExplicitParameters {
  std::string form = "velocity";  // or "leapfrog", "position"

  static void describe(Describer<Verlet>& d);
  IntegratorTraits traits() const {
    const bool lags = form != "velocity";
    return {.order = 2, .damped_order = lags ? 1 : 2, .is_explicit = true, .is_symplectic = true};
  }
  std::unique_ptr<Integrator> build() const;
};

/// x_1 = x_0 + h (v_0 + h/2 a_0),  v_1 = v_0 + h/2 (a_0 + a_1), where a_1 sees the velocity v_0 + h a_0.
class VelocityVerletIntegrator final : public ExplicitIntegrator {
 public:
  std::string_view name() const override { return "verlet"; }

 protected:
  void predict(const System& system, const VelocityFilter& filter, std::span<const Vec3> load, double dt,
               const State& state) override;

 private:
  std::vector<Vec3> first_, second_, x_, first_external_;
};

/// Velocities half a step beside positions, one force evaluation a step (Hauth et al. 2002, (53) to (57)):
///   v_+ = v_- + (h_- + h)/2 a(x_0, v_-),  x_1 = x_0 + h v_+
/// with h_- the length of the last step. The first step starts with v_+ = v_0 + h/2 a(x_0, v_0): without that
/// half a step the order is 1. The velocity at the end is v_+ + h/2 a_0.
/// The leapfrog form remembers v_-, the position form x_-1 = x_0 - h_- v_-.
class StaggeredVerletIntegrator final : public ExplicitIntegrator {
 public:
  explicit StaggeredVerletIntegrator(bool by_positions) : by_positions_(by_positions) {}
  std::string_view name() const override { return "verlet"; }

 protected:
  void predict(const System& system, const VelocityFilter& filter, std::span<const Vec3> load, double dt,
               const State& state) override;
  void remember(double dt, State& state) override;

 private:
  /// Sets before_ to v_-; returns h_-.
  double recall(const State& state);

  bool by_positions_;
  std::vector<Vec3> before_, acceleration_;
};

}  // namespace heddle
