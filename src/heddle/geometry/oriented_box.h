#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// A box in any direction.
struct OrientedBox {
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Identity();  // unit vectors along its edges, as columns
  Vec3 half = Vec3::Zero();      // m, of the edge lengths

  double radius() const { return half.norm(); }
};

/// The point of the box that is nearest to a point; the point itself if it is inside.
Vec3 nearest_point(const OrientedBox& box, const Vec3& point);

/// Whether two boxes are at least `distance` (m, above 0) apart. Never true for boxes that are nearer; false
/// too for the rare ones of which a few rounds of projections tell nothing.
bool are_apart(const OrientedBox& a, const OrientedBox& b, double distance);

}  // namespace heddle
