#pragma once

#include <heddle/dynamics/barrier.h>
#include <heddle/dynamics/brake.h>
#include <heddle/dynamics/encounters.h>
#include <heddle/dynamics/pair_spring.h>
#include <heddle/dynamics/treatment.h>

#include <functional>
#include <string>

namespace heddle {

/// A doubtful step may stand, but a shorter one would be better.
enum class StepOutcome { accepted, doubtful, retry_smaller, failed };

/// What happened in one step; filled by the integrator, judged by the simulation.
struct StepReport {
  StepOutcome outcome = StepOutcome::accepted;
  std::string reason;  // if not accepted: what failed and which parameter to change
  int solver_iterations = 0;
  long row_products = 0;  // in the linear solver: rows of the matrix times a vector
  double solver_residual = 0;
  long events = 0;        // of elements that step at their own pace
  double outer_work = 0;  // J, done by external forces, loads and whatever prescribes velocities
  bool may_grow = true;   // the next step may be longer

  /// Adds what another part of the step cost the linear solver.
  void add_work(const StepReport& part) {
    solver_iterations += part.solver_iterations;
    row_products += part.row_products;
    events += part.events;
  }
};

/// What a method promises; the test battery holds it to that.
struct IntegratorTraits {
  int order = 1;               // of the global error, without damping
  int damped_order = 1;        // with forces that depend on velocities
  bool is_explicit = false;    // no linear systems, but steps have a limit
  bool is_a_stable = false;    // linear systems that lose energy never grow, at any step
  bool is_symplectic = false;  // energy oscillates but does not drift
  bool has_limit = false;      // steps have one though linear systems are solved
  /// In a method that solves linear systems, what is explicit needs
  /// stiffness_weight h^2 k + damping_weight h d <= 1 for its modes (k in 1/s2, d in 1/s); by default as in
  /// forward-backward Euler.
  double stiffness_weight = 0.25, damping_weight = 0.5;
};

/// What acts during one step only and is known before it: contact.
struct StepLoads {
  std::span<const Vec3> force;    // N per particle, or empty
  std::span<PairSpring> springs;  // between surfaces
  std::span<Brake> brakes;
  bool glides = false;               // something does as a whole: the sum of all forces must be right
  bool again = false;                // state, system and dt are those of the last call; only contacts changed
  Encounters* encounters = nullptr;  // for methods whose particles move each in its own time
};

/// The step whose end is looked for once more.
struct Refinement {
  const State& begin;  // of the step
  Barrier& barrier;
  std::function<bool(const State&)>
      is_sound;                   // an end that is not, though its forces balance, is worth more work
  bool bodies_take_part = false;  // they need to know what they gave to particles
};

/// How often the elements of a term acted in the last step.
struct TermActivity {
  const ForceTerm* term = nullptr;
  std::span<const int> events;  // per element
};

/// Advances a State by one step; sees masses, terms and constraints, never what they stand for.
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual std::string_view name() const = 0;
  /// What may help if steps of this method fail, or nothing.
  virtual std::string advice() const { return {}; }

  /// Moves `state` to state.time + dt under the velocities that `filter` prescribes.
  /// `reaction` receives the force with which the prescribed velocities were enforced, N per particle.
  virtual StepReport step(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                          double dt, State& state, std::span<Vec3> reaction) = 0;

  /// Balances the forces at the end of a step once more, starting with `state` as the guess of its end: what
  /// is prescribed stays as it is there, surfaces are kept apart by the barrier instead of springs. Not
  /// accepted: the forces do not balance yet, but nothing intersects.
  virtual StepReport improve(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                             double dt, const Refinement& refinement, State& state) = 0;

  /// Whether it compares energies, so that all forces must have one.
  virtual bool needs_energy() const { return false; }
  /// What it treats explicitly.
  virtual Splitting splitting() const = 0;
  /// Per particle the component of the last linear system that it belonged to, -1 if it was fixed; empty if
  /// systems are not decomposed.
  virtual std::span<const int> components() const { return {}; }
  /// Of methods whose elements step at their own pace; nothing if all step alike.
  virtual std::vector<TermActivity> activity() const { return {}; }
};

}  // namespace heddle
