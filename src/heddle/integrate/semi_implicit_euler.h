#pragma once

#include <heddle/core/describe.h>
#include <heddle/integrate/stage_solver.h>

#include <string>

namespace heddle {

/// Parameters of the backward Euler step with one linear solve.
struct SemiImplicitEuler {
  double time_step = 0.01;  // s
  bool lively = false;      // do not take the stretch of turning for tension
  SolverParameters linear;

  static void describe(Describer<SemiImplicitEuler>& d);
  IntegratorTraits traits() const { return {.order = 1, .damped_order = 1, .is_a_stable = true}; }
  std::unique_ptr<Integrator> build() const;
};

/// One Newton step of backward Euler (Thomaszewski 2010, (2.51) with ERR-6 and ERR-7 corrected):
///   [M + h^2 K + h D] dv = h (f(x, v) - h K v),  v += dv,  x += h v.
class SemiImplicitEulerIntegrator final : public Integrator {
 public:
  explicit SemiImplicitEulerIntegrator(const SemiImplicitEuler& parameters);
  /// For methods that treat some forces explicitly.
  SemiImplicitEulerIntegrator(std::string_view name, const StageSettings& settings)
      : name_(name), solver_(settings) {}

  std::string_view name() const override { return name_; }
  const StageSolver& solver() const { return solver_; }
  StepReport step(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                  State& state, std::span<Vec3> reaction) override;
  StepReport improve(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                     const Refinement& refinement, State& state) override;

 private:
  /// Moves the state by dt; returns the work from outside, J.
  double advance(std::span<const Vec3> load, std::span<const Vec3> reaction, double dt, State& state);

  std::string name_ = "semi_implicit_euler";
  StageSolver solver_;
  std::vector<double> partial_;
};

}  // namespace heddle
