#pragma once

#include <heddle/mesh/moving_surface.h>

#include <span>

namespace heddle {

/// A point that goes with a moving surface: the nearest point of a triangle, and a step away from it that
/// turns with the triangle.
struct CarriedPoint {
  Triangle corners{};
  std::array<double, 3> weights{};  // of the corners, sum 1
  Vec3 offset = Vec3::Zero();       // m, in the axes of the triangle

  /// Where the surface has carried it at a time (s), m.
  Vec3 at(const MovingSurface& surface, double time) const;
};

/// The points that are at `places` (m) at a time (s); the surface has triangles.
std::vector<CarriedPoint> carried_points(const MovingSurface& surface, std::span<const Vec3> places,
                                         double time);

}  // namespace heddle
