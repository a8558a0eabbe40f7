#pragma once

#include <heddle/integrate/implicit_integrator.h>

namespace heddle {

/// Backward Euler, solved in full.
struct ImplicitEuler : ImplicitParameters {
  static void describe(Describer<ImplicitEuler>& d);
  IntegratorTraits traits() const { return {.order = 1, .damped_order = 1, .is_a_stable = true}; }
  std::unique_ptr<Integrator> build() const;
};

/// M (v_1 - v_0) = h f(x_0 + h v_1, v_1),  x_1 = x_0 + h v_1 (Hauth et al. 2002, (36), (58)).
class ImplicitEulerIntegrator final : public ImplicitIntegrator {
 public:
  using ImplicitIntegrator::ImplicitIntegrator;
  std::string_view name() const override { return "implicit_euler"; }

 protected:
  Plan plan(const System&, double, const State&) override { return {}; }
};

}  // namespace heddle
