#pragma once

#include <heddle/core/result.h>
#include <heddle/magnetics/dipole.h>
#include <heddle/math/rigid_transform.h>

#include <span>
#include <string>
#include <vector>

namespace heddle {

/// A closed wire that carries a current.
struct Coil {
  std::vector<Vec3> points;  // m, at least three, in the coordinates of the coil; the last leads to the first
  double current = 0;        // A, times turns
};

/// Refuses less than three points, points that are not finite and neighbours at the same place.
Status check_coil(const Coil& coil, const std::string& name);

/// A circle of this radius (m) about the z axis, as a polygon around it with a little less current, which
/// together have the field of the circle.
Coil circular_coil(double radius, double current, int segments = 64);

/// A coil somewhere in space, as short pieces of wire.
class PlacedCoil {
 public:
  PlacedCoil(const Coil& coil, const RigidTransform& pose);

  const RigidTransform& pose() const { return pose_; }
  /// T, by the law of Biot and Savart.
  Vec3 field(const Vec3& place) const;
  /// Force on a dipole, grad (m . B), and torque, m x B, about its place. By Newton's third law the coil gets
  /// the opposite force, and the torque that balances both.
  Wrench load_on(const Dipole& dipole) const;
  /// What another coil does to this one, about the origin of this one (F. Neumann's form of Ampere's law:
  /// exactly opposite for the two).
  Wrench load_from(const PlacedCoil& other) const;

 private:
  struct Piece {
    Vec3 middle = Vec3::Zero();   // m
    Vec3 current = Vec3::Zero();  // A m, along the wire
  };
  RigidTransform pose_;
  std::vector<Piece> pieces_;
};

}  // namespace heddle
