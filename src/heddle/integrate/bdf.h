#pragma once

#include <heddle/integrate/implicit_midpoint.h>

#include <array>

namespace heddle {

/// Backward differentiation formulas of order 2 to 6.
struct Bdf : ImplicitParameters {
  int order = 2;

  static void describe(Describer<Bdf>& d);
  IntegratorTraits traits() const {
    return {.order = order, .damped_order = order, .is_a_stable = order <= 2};
  }
  std::unique_ptr<Integrator> build() const;
};

inline constexpr int kLargestBdfOrder = 6;

/// Weights of the formula sum_j alpha_j y_j = h f_0 for values at the times 0, -h, ... of `ages` (s,
/// ascending, the first one h). Equal steps give Table 4 of Hauth et al. 2002, two steps their (73).
std::array<double, kLargestBdfOrder + 1> bdf_weights(std::span<const double> ages);

/// sum_j alpha_j v_j = h M^-1 f_0 and sum_j alpha_j x_j = h v_0, on steps of any length (Hauth et al. 2002,
/// (66) to (76) with the errata of Algorithm 4). Orders above 2 start with extrapolated midpoint steps, and
/// wait with a low order until the steps are nearly equal again after their length changed.
class BdfIntegrator final : public ImplicitIntegrator {
 public:
  BdfIntegrator(std::string_view name, const StageSettings& settings, int order);
  std::string_view name() const override { return name_; }
  StepReport step(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                  State& state, std::span<Vec3> reaction) override;

 protected:
  Plan plan(const System& system, double dt, const State& state) override;
  void remember(double dt, const Plan& plan, std::span<const Vec3> kick, const State& begin,
                State& state) override;

 private:
  /// The largest order that the past and its steps allow.
  int usable_order(double dt, const State& state) const;
  /// A step of order 6 without a past.
  StepReport start(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                   State& state, std::span<Vec3> reaction);

  std::string name_;
  int order_;
  /// Whether stages start at the extrapolated velocity: what is explicit must, and high orders gain by it. It
  /// swings with the fast vibrations of stiff cloth, so that otherwise the present one is the better guess.
  bool extrapolates_;
  ImplicitMidpointIntegrator starter_;
};

}  // namespace heddle
