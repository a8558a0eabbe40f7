#pragma once

#include <heddle/integrate/implicit_integrator.h>

namespace heddle {

/// Newmark's family.
struct Newmark : ImplicitParameters {
  double beta = 0.25;
  double gamma = 0.5;

  static void describe(Describer<Newmark>& d);
  IntegratorTraits traits() const;
  std::unique_ptr<Integrator> build() const;
};

/// The generalised alpha method by the damping that it gives to the fastest vibrations.
struct GeneralisedAlpha : ImplicitParameters {
  double radius = 0.5;

  static void describe(Describer<GeneralisedAlpha>& d);
  IntegratorTraits traits() const { return {.order = 2, .damped_order = 2, .is_a_stable = true}; }
  std::unique_ptr<Integrator> build() const;
};

/// x_1 = x_0 + h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1),  v_1 = v_0 + h ((1 - gamma) a_0 + gamma a_1),
/// M ((1 - mass_lag) a_1 + mass_lag a_0) = f at (1 - force_lag) x_1 + force_lag x_0, v likewise
/// (Newmark 1959 without lags; Chung and Hulbert 1993).
struct AlphaCoefficients {
  double beta = 0.25, gamma = 0.5, mass_lag = 0, force_lag = 0;

  static AlphaCoefficients of_radius(double radius);
};

class AlphaIntegrator final : public ImplicitIntegrator {
 public:
  AlphaIntegrator(std::string_view name, const StageSettings& settings, const AlphaCoefficients& coefficients)
      : ImplicitIntegrator(settings), name_(name), c_(coefficients) {}
  std::string_view name() const override { return name_; }

 protected:
  Plan plan(const System& system, double dt, const State& state) override;
  void remember(double dt, const Plan& plan, std::span<const Vec3> kick, const State& begin,
                State& state) override;

 private:
  std::string name_;
  AlphaCoefficients c_;
  std::vector<Vec3> acceleration_;  // a_0, m/s2
};

}  // namespace heddle
