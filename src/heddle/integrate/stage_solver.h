#pragma once

#include <heddle/dynamics/integrator.h>
#include <heddle/solve/solver_registry.h>

#include <string>

namespace heddle {

/// What every implicit method solves once a step, for a velocity v:
///   M (v - v*) = g h f(x* + d h v, v) + contact
/// A method only says g, d, the predictors x* and v*, and what it makes of v.
struct StageEquation {
  double dt = 0;                // h, s
  double force_time = 0;        // g h, s
  double position_time = 0;     // d h, s
  double share = 1;             // of the step, at whose end the particles are at x* + d h v
  std::span<const Vec3> x, v;   // x*, m, and v*, m/s
  std::span<const Vec3> drift;  // (x* - x_0) / (share h), m/s; empty: zero

  static StageEquation backward_euler(const State& begin, double dt) {
    return {.dt = dt, .force_time = dt, .position_time = dt, .x = begin.x, .v = begin.v};
  }
  /// How much of v is in the mean velocity of the step, (x_1 - x_0) / h.
  double mean_share() const { return position_time / (share * dt); }
};

/// Where a stage is linearised first: f and its derivatives are those at x and v, which are `slack` v short
/// of being the stage's own, x + slack v = x* + d h v.
struct StageGuess {
  Configuration q;
  double slack = 0;  // s
};

/// How the nonlinear equations of a step are solved.
struct NewtonSettings {
  int most_solves = 1;     // linear ones; 1: the linearised equations only
  double forcing = 0.02;   // part of its residual that each of them may leave (Hauth et al. 2002, 2.2.2)
  bool frozen = false;     // all with the first matrix: simplified Newton
  bool sparse = false;     // and that is the sparse approximation of it, see sparse_jacobian.h
  int few = 4;             // up to so many the next step may be longer
  bool by_energy = false;  // corrections are shortened by the energy of the stage, not by its forces
};

struct StageSettings {
  SolverParameters linear;
  bool lively = false;  // see Linearisation::straight_motion; not in steps in which surfaces touch
  Splitting splitting;
  NewtonSettings newton;
};

/// Solves stages with contact and prescribed velocities: the one place where implicit methods meet matrices.
/// Keeps its vectors from call to call.
class StageSolver {
 public:
  explicit StageSolver(const StageSettings& settings);

  /// Writes the impulses of the springs, and to `reaction` the force with which the prescribed velocities
  /// were enforced, N per particle.
  StepReport solve(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                   const StageEquation& stage, const StageGuess& guess, std::span<Vec3> reaction);
  /// v of the last stage, m/s.
  std::span<const Vec3> velocity() const { return velocity_; }
  /// g h times the forces from outside in the last stage, N s per particle.
  std::span<const Vec3> external() const { return external_; }
  /// Elements that were implicit when the last stage was linearised; only counted if some may be explicit.
  int implicit_elements() const { return implicit_elements_; }
  const Splitting& splitting() const { return settings_.splitting; }
  /// As Integrator::needs_energy().
  bool needs_energy() const { return settings_.newton.by_energy && settings_.newton.most_solves > 1; }
  /// As Integrator::components().
  std::span<const int> components() const { return solver_->components(); }
  /// What springs and brakes gave, N s per particle.
  void add_contact_impulses(const StepLoads& loads, const StageEquation& stage,
                            std::span<Vec3> impulse) const;

  /// Integrator::improve for any method: Newton's method on backward Euler, M (v - v0) = h f(x0 + h v, v);
  /// its steps end where surfaces would meet.
  StepReport improve(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                     const Refinement& refinement, State& state);
  /// The same after a step that solved no stage, so that there is no residual to compare with.
  StepReport improve_explicit(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                              double dt, const Refinement& refinement, State& state);

 private:
  static constexpr double kOvershoot = 0.5;
  void linearise(const System& system, const StageEquation& stage, const Configuration& q);
  /// Forces only; the matrix stays.
  void find_force(const System& system, const Configuration& q);
  /// rhs_ without contact, from forces at a guess.
  void find_rhs(const System& system, const StepLoads& loads, const StageEquation& stage,
                const StageGuess& guess);
  void start_from_prescribed(const VelocityFilter& filter, std::span<const Vec3> velocity);
  /// Add to rhs_ and couplings_ what acts between surfaces if v is the velocity of the stage.
  void add_springs(std::span<const PairSpring> springs, std::span<const double> mass,
                   const StageEquation& stage, std::span<const Vec3> v);
  void add_brakes(std::span<const Brake> brakes, const StageEquation& stage, std::span<const Vec3> v);
  /// By how much the forces on each part of the system may be out of balance, N s.
  void find_net_limits(const StepLoads& loads);
  void find_reaction(const BlockProjection& projection, const StageEquation& stage, std::span<Vec3> reaction);
  /// Writes what springs and brakes gave.
  void finish_contact(const StepLoads& loads, const StageEquation& stage);
  static void finish_brakes(std::span<Brake> brakes, const StageEquation& stage, std::span<const Vec3> v);
  StepReport solve_linearised(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                              const StageEquation& stage, const StageGuess& guess);
  /// More linear solves until the forces of the stage balance.
  void correct(const System& system, const StepLoads& loads, const StageEquation& stage,
               const Configuration& guess, const BlockProjection& projection, StepReport& report);
  /// What the stage lacks at velocity_: rhs_ and couplings_; time and frames are those of the guess.
  void find_stage_lack(const System& system, const StepLoads& loads, const StageEquation& stage,
                       const Configuration& guess);

  void find_lack(const System& system, const StepLoads& loads, double dt, const State& begin,
                 std::span<const PairSpring> springs, const State& state);
  double slope();  // rhs_ . correction_, J
  /// Whether the last correction, which began with this slope (J), was too long: the forces pull back by more
  /// than a share of it.
  bool overshot(double first_slope) { return slope() < -kOvershoot * first_slope; }
  void shorten_correction(double share);
  /// How much of correction_ lowers the energy of the stage from its configuration q on: 1, 1/2, 1/4, ...
  double downhill_share(const System& system, const StageEquation& stage, const Configuration& q);
  double correction_inertia(const System& system);  // p M p with couplings, J
  /// That of the forces that have an energy, W.
  double correction_power(const System& system, const Configuration& q);
  void move(double amount, double dt, State& state);  // by an amount of correction_
  /// Makes dv_ the correction_, as far as surfaces let it.
  void find_free_correction(Barrier& barrier, double dt, const State& state);
  /// Where nothing holds the particles of a group of parts but each other: gives all of them the velocity
  /// that their sum lacks.
  void keep_momentum(const System& system, const BlockProjection& projection, double dt,
                     const Refinement& refinement, State& state);
  /// Gives the particles of each part that nothing prescribes the velocity that their sum lacks by rhs_, so
  /// that what moves freely and touches them got what they lost.
  void settle_momentum(const System& system, const BlockProjection& projection, State& state);

  StageSettings settings_;
  bool is_lively_ = false;  // in the present step
  std::atomic<int> implicit_elements_ = 0;
  int revision_ = 0;  // of the system that the matrices were made for
  /// The matrix of the linear systems.
  const BlockMatrix& used_matrix() const { return settings_.newton.sparse ? sparse_ : matrix_; }

  BlockMatrix matrix_, constant_, sparse_;
  double constant_stiffness_ = 0, constant_damping_ = 0;  // scales that constant_ was made for
  double accepted_ = 0;  // residual at which the last step stopped to be solved, J
  std::unique_ptr<LinearSolver> solver_;
  std::vector<RowRange> parts_;  // that nothing but contact connects
  std::vector<NetLimit> net_limits_;
  std::vector<PairCoupling> couplings_;
  std::vector<double> partial_;
  std::vector<Vec3> force_, external_, stiffness_velocity_, rhs_, driving_, dv_, product_, correction_,
      velocity_, x_, still_, trial_;
};

}  // namespace heddle
