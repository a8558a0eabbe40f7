#pragma once

#include <heddle/rigid/contact_rows.h>

namespace heddle {

/// Impulses of contacts and joints that keep all of them, found by sweeps over all rows in their order
/// (projected Gauss-Seidel): each row gets the impulse that it lacks, friction within Coulomb's cone.
struct ImpulseSweep {
  std::span<const BodyInertia> bodies;
  std::span<ContactRow> contacts;
  std::span<JointRow> joints;

  /// Begins with the impulses that the rows have; `velocities` are those without any impulse and become those
  /// with them.
  void solve(std::span<BodyVelocity> velocities) const;
  /// The same with push impulses: velocities that move bodies out of each other in this step only.
  void solve_pushes(std::span<BodyVelocity> velocities) const;
};

}  // namespace heddle
