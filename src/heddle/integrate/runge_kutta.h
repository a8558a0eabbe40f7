#pragma once

#include <heddle/integrate/explicit_integrator.h>

#include <vector>

namespace heddle {

/// Coefficients of an explicit Runge-Kutta method (Hauth et al. 2002, (31), Tables 2 and 3).
struct ButcherTableau {
  std::vector<std::vector<double>> a;  // strictly lower triangular: row i has i entries
  std::vector<double> b, c;
  std::vector<double> embedded;  // weights of a method of another order that tells the error; may be empty

  int stages() const { return static_cast<int>(b.size()); }
  /// The largest order up to 4 whose conditions hold.
  int order() const;

  static ButcherTableau euler();
  static ButcherTableau midpoint();
  static ButcherTableau classical();
};

struct ExplicitEuler : ExplicitParameters {
  static void describe(Describer<ExplicitEuler>& d);
  IntegratorTraits traits() const;
  std::unique_ptr<Integrator> build() const;
};

struct ExplicitMidpoint : ExplicitParameters {
  static void describe(Describer<ExplicitMidpoint>& d);
  IntegratorTraits traits() const;
  std::unique_ptr<Integrator> build() const;
};

struct Rk4 : ExplicitParameters {
  static void describe(Describer<Rk4>& d);
  IntegratorTraits traits() const;
  std::unique_ptr<Integrator> build() const;
};

/// A method that the scene gives; by default Kutta's third-order one.
struct RungeKutta : ExplicitParameters {
  std::vector<std::vector<double>> a{{0.5}, {-1, 2}};
  std::vector<double> b{1.0 / 6, 2.0 / 3, 1.0 / 6};
  std::vector<double> c{0, 0.5, 1};
  std::vector<double> embedded;

  ButcherTableau tableau() const;
  bool measures_error() const { return !embedded.empty(); }
  static void describe(Describer<RungeKutta>& d);
  IntegratorTraits traits() const;
  std::unique_ptr<Integrator> build() const;
};

class RungeKuttaIntegrator final : public ExplicitIntegrator {
 public:
  /// `error_tolerance` in m; only used with embedded weights.
  RungeKuttaIntegrator(std::string_view name, ButcherTableau tableau, double error_tolerance = 0);
  std::string_view name() const override { return name_; }

 protected:
  void predict(const System& system, const VelocityFilter& filter, std::span<const Vec3> load, double dt,
               const State& state) override;
  void judge(StepReport& report) const override;

 private:
  /// How far positions differ if the embedded weights are taken, m.
  double find_error(double dt) const;
  /// values = begin + dt sum_j weights_j rates_j
  void combine(std::span<const double> weights, double dt, std::span<const Vec3> begin,
               const std::vector<std::vector<Vec3>>& rates, std::span<Vec3> values) const;

  std::string name_;
  ButcherTableau tableau_;
  double error_tolerance_, error_ = 0;                      // m
  std::vector<std::vector<Vec3>> velocity_, acceleration_;  // of the stages
  std::vector<Vec3> x_, first_external_;
};

}  // namespace heddle
