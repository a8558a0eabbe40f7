#pragma once

#include <heddle/integrate/explicit_integrator.h>

namespace heddle {

/// Forward-backward Euler.
struct SymplecticEuler : ExplicitParameters {
  int turning_substeps = 1;

  static void describe(Describer<SymplecticEuler>& d);
  IntegratorTraits traits() const {
    return {.order = 1, .damped_order = 1, .is_explicit = true, .is_symplectic = true};
  }
  std::unique_ptr<Integrator> build() const;
};

/// v_1 = v_0 + h M^-1 f(x_0, v_0),  x_1 = x_0 + h v_1 (Boxerman 2003, (4.5)).
/// Particles that turn may take several such steps meanwhile, with the others at rest (Spillmann 2008,
/// 3.3.3).
class SymplecticEulerIntegrator final : public ExplicitIntegrator {
 public:
  explicit SymplecticEulerIntegrator(int turning_substeps = 1) : turning_substeps_(turning_substeps) {}
  std::string_view name() const override { return "symplectic_euler"; }

 protected:
  void predict(const System& system, const VelocityFilter& filter, std::span<const Vec3> load, double dt,
               const State& state) override;

 private:
  /// Sets mean_ and end_ of the particles that turn.
  void turn(const System& system, const VelocityFilter& filter, std::span<const Vec3> load, double dt,
            const State& state);

  int turning_substeps_;
  std::vector<Vec3> x_, v_, acceleration_, kept_external_;
};

}  // namespace heddle
