#pragma once

#include <heddle/integrate/implicit_integrator.h>

namespace heddle {

/// The implicit midpoint rule, with as much of backward Euler as it needs.
struct ImplicitMidpoint : ImplicitParameters {
  double share = 0.5;
  bool adaptive = true;

  static void describe(Describer<ImplicitMidpoint>& d);
  IntegratorTraits traits() const {
    const int order = share == 0.5 ? 2 : 1;
    return {.order = order, .damped_order = order, .is_a_stable = true, .is_symplectic = share == 0.5};
  }
  std::unique_ptr<Integrator> build() const;
};

/// M (w - v_0) = a h f(x_0 + a h w, w),  x_1 = x_0 + h w,  v_1 = v_0 + (w - v_0) / a
/// with a = 1/2 (Hauth et al. 2002, (44); Thomaszewski 2010, 2.3.2). a = 1 is backward Euler; where a step
/// makes energy it is taken again with a larger a (Volino and Magnenat-Thalmann 2005).
class ImplicitMidpointIntegrator final : public ImplicitIntegrator {
 public:
  ImplicitMidpointIntegrator(const StageSettings& settings, double share, bool adaptive)
      : ImplicitIntegrator(settings), least_share_(share), share_(share), adaptive_(adaptive) {}
  std::string_view name() const override { return "implicit_midpoint"; }
  StepReport step(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                  State& state, std::span<Vec3> reaction) override;

 protected:
  Plan plan(const System&, double, const State&) override { return {share_, share_, share_}; }

 private:
  double least_share_, share_;
  bool adaptive_;
};

}  // namespace heddle
