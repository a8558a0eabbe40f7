#pragma once

#include <heddle/magnetics/dipole.h>
#include <heddle/math/rigid_transform.h>

#include <array>

namespace heddle {

// Cells that ride on particles: where the particles put them, and what a load on them does to the particles.
// Loads go to particles by virtual work: the forces sum up to the force, and their moments to the torque.

/// A cell on a triangle: at its centre; its axes are weft, the direction across it in the triangle, and
/// normal.
class FaceCell {
 public:
  /// Corners of the triangle at rest, m: x is the weft direction.
  explicit FaceCell(const std::array<Vec2, 3>& rest);

  /// `x`: corners, m.
  RigidTransform pose(const std::array<Vec3, 3>& x) const;
  /// Forces on the corners, N, of a load about the centre.
  std::array<Vec3, 3> forces(const std::array<Vec3, 3>& x, const Wrench& load) const;

 private:
  Vec2 weft_;  // how much of both edges from the first corner makes the weft direction, 1/m
};

/// Forces on both ends (N) of a segment and the moment about its direction (N m) that remains, of a load
/// about its middle.
struct SegmentLoad {
  std::array<Vec3, 2> forces;
  double moment = 0;
};
SegmentLoad segment_load(const Vec3& from, const Vec3& to, const Wrench& load);

}  // namespace heddle
