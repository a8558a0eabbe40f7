#pragma once

#include <heddle/math/types.h>

#include <array>

namespace heddle {

/// A cone around all normals of a piece of surface (Provot 1997), with what else decides whether the piece
/// can come near itself. Conservative: it may be wider than needed, never narrower.
struct NormalCone {
  Vec3f axis = Vec3f::UnitZ();
  float cosine = -1.0f;  // of the half angle; not positive: the normals fill a half space or more
  float sine = 0.0f;     // of the half angle
  float height = 0.0f;   // m, at most the smallest altitude of any triangle

  bool open() const { return cosine <= 0.0f; }
};

/// Cone of a triangle at rest; open if it has no area.
NormalCone cone_of_triangle(const std::array<Vec3, 3>& x);

/// Cone of all normals while the corners move on straight lines from begin to end. The normal is the
/// quadratic
///   n(t) = (1 - t)^2 b0 + 2 t (1 - t) b1 + t^2 b2,   b0 = n(0), b2 = n(1), b1 = (b0 + b2 - d) / 2,
/// d = (change of one side) x (change of the other), so it stays in the cone of b0, b1, b2.
NormalCone cone_of_moving_triangle(const std::array<Vec3, 3>& begin, const std::array<Vec3, 3>& end);

/// The smallest cone that holds both, or an open one.
NormalCone merged(const NormalCone& a, const NormalCone& b);

}  // namespace heddle
