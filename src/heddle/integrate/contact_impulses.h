#pragma once

#include <heddle/dynamics/integrator.h>
#include <heddle/solve/coupled_diagonal.h>

namespace heddle {

/// Contact and prescribed velocities for particles that nothing else couples: what explicit methods need, and
/// what methods need whose velocity at the end of a step is not its mean one.
/// Keeps its vectors from call to call.
class ContactImpulses {
 public:
  /// `mean` and `end` are the mean velocity of the step and that at its end as smooth forces make them (m/s).
  /// Springs and brakes act on the mean one; then follow(). Writes the impulses of both, and to
  /// `reaction` the force with which the prescribed velocities were enforced, N per particle.
  StepReport apply(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                   std::span<Vec3> mean, std::span<Vec3> end, std::span<Vec3> reaction);

  /// Gives `end` along springs and brakes the speeds of `mean`, and what is prescribed: where surfaces hold
  /// each other during the step, nothing moves at its end. The springs get what it took.
  StepReport follow(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                    std::span<const Vec3> mean, std::span<Vec3> end);

 private:
  void find_couplings(const System& system, const StepLoads& loads, double dt);
  /// (M + couplings) change_ = rhs_, where it leads from `from` to what is prescribed.
  StepReport solve(const System& system, const VelocityFilter& filter, std::span<const Vec3> from);

  CoupledDiagonal solver_;
  std::vector<PairCoupling> couplings_;  // springs, then brakes
  std::vector<Vec3> rhs_, change_, impulse_, smooth_;
};

}  // namespace heddle
