#pragma once

#include <heddle/constraints/limited_faces.h>

#include <vector>

namespace heddle {

/// A square sheet of 2 n^2 faces, 1 m wide, and its limits.
struct StrainedSheet {
  LimitedFaces faces;
  std::vector<Vec3> x;       // m, at rest in the plane z = 0
  std::vector<double> mass;  // kg

  /// The diagonals of its squares run in either direction, or in both by turns.
  enum class Diagonals { rising, falling, mixed };
  StrainedSheet(int n, const StrainBounds& bounds, Diagonals diagonals = Diagonals::mixed);

  int particle_count() const { return static_cast<int>(x.size()); }
  Vec3 momentum(std::span<const Vec3> moved) const;          // kg m, of the way from x
  Vec3 angular_momentum(std::span<const Vec3> moved) const;  // kg m2, of the way from x
};

inline StrainBounds bounds_of(double weft, double warp, double shear) {
  return {{-weft, -warp, -shear}, {weft, warp, shear}};
}

}  // namespace heddle
