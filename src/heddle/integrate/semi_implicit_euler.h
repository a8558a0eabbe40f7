#pragma once

#include <heddle/core/describe.h>
#include <heddle/dynamics/integrator.h>
#include <heddle/solve/solver_registry.h>

#include <string>

namespace heddle {

/// Parameters of the backward Euler step with one linear solve.
struct SemiImplicitEuler {
  double time_step = 0.01;  // s
  bool lively = false;      // do not take the stretch of turning for tension
  SolverParameters solver;

  static void describe(Describer<SemiImplicitEuler>& d);
};

/// One Newton step of backward Euler (Thomaszewski 2010, (2.51) with ERR-6 and ERR-7 corrected):
///   [M + h^2 K + h D] dv = h (f(x, v) - h K v),  v += dv,  x += h v.
class SemiImplicitEulerIntegrator final : public Integrator {
 public:
  explicit SemiImplicitEulerIntegrator(const SemiImplicitEuler& parameters);

  std::string_view name() const override { return "semi_implicit_euler"; }
  StepReport step(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                  State& state, std::span<Vec3> reaction) override;
  /// Newton's method on backward Euler, M (v - v0) = h f(x0 + h v, v); its steps end where surfaces would
  /// meet.
  StepReport improve(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                     const State& begin, Barrier& barrier, State& state) override;

 private:
  /// rhs_ and couplings_: what backward Euler lacks at a guess.
  void find_lack(const System& system, const StepLoads& loads, double dt, const State& begin,
                 std::span<const PairSpring> springs, const State& state);
  /// rhs_ . correction_, J
  double slope();
  /// By an amount of correction_.
  void move(double amount, double dt, State& state);
  /// Makes dv_ the correction_, as far as surfaces let it.
  void find_free_correction(Barrier& barrier, double dt, const State& state);
  /// Where nothing holds the particles but each other: gives all of them the velocity that the sum lacks.
  void keep_momentum(const System& system, double dt, const State& begin, State& state);
  /// Matrix and forces at the beginning of the step; forgets the last solution.
  void linearise(const System& system, double dt, const State& state);
  /// Gives dv_ what the filter prescribes.
  void start_from_prescribed(const VelocityFilter& filter, const State& state);
  /// Adds the springs to rhs_ and couplings_.
  void add_springs(std::span<const PairSpring> springs, std::span<const double> mass, double dt,
                   const State& state);
  /// Adds the brakes likewise.
  void add_brakes(std::span<const Brake> brakes, double dt, const State& state);
  /// By how much the forces on each part of the system may be out of balance, N s.
  void find_net_limits(const StepLoads& loads);
  /// The force with which the prescribed velocities were enforced, N per particle.
  void find_reaction(const BlockProjection& projection, double dt, std::span<Vec3> reaction);
  /// Moves the state by dv_ and dt; returns the work from outside, J.
  double advance(std::span<const Vec3> load, std::span<const Vec3> reaction, double dt, State& state);
  /// Writes the impulses of the springs.
  void finish_springs(std::span<PairSpring> springs, double dt, const State& state);

  SemiImplicitEuler parameters_;
  int revision_ = 0;  // of the system that the matrices were made for
  BlockMatrix matrix_, constant_;
  double constant_dt_ = 0;  // s, the step that constant_ was made for
  double accepted_ = 0;     // residual at which the last step stopped to be solved, J
  std::unique_ptr<LinearSolver> solver_;
  std::vector<RowRange> parts_;  // that nothing but contact connects
  std::vector<NetLimit> net_limits_;
  std::vector<PairCoupling> couplings_;
  std::vector<double> partial_;
  std::vector<Vec3> force_, external_, stiffness_velocity_, rhs_, driving_, dv_, correction_;
};

}  // namespace heddle
