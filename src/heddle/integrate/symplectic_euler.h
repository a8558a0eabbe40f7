#pragma once

#include <heddle/integrate/explicit_integrator.h>

namespace heddle {

/// Forward-backward Euler.
struct SymplecticEuler : ExplicitParameters {
  static void describe(Describer<SymplecticEuler>& d);
  IntegratorTraits traits() const {
    return {.order = 1, .damped_order = 1, .is_explicit = true, .is_symplectic = true};
  }
  std::unique_ptr<Integrator> build() const;
};

/// v_1 = v_0 + h M^-1 f(x_0, v_0),  x_1 = x_0 + h v_1 (Boxerman 2003, (4.5)).
class SymplecticEulerIntegrator final : public ExplicitIntegrator {
 public:
  std::string_view name() const override { return "symplectic_euler"; }

 protected:
  void predict(const System& system, const VelocityFilter& filter, std::span<const Vec3> load, double dt,
               const State& state) override;
};

}  // namespace heddle
