#pragma once

#include <heddle/math/types.h>

#include <optional>

namespace heddle {

/// Normal of the triangle times twice its area, right-handed: (b - a) x (c - a). m^2
inline Vec3 area_vector_twice(const Vec3& a, const Vec3& b, const Vec3& c) {
  return (b - a).cross(c - a);
}

inline double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 0.5 * area_vector_twice(a, b, c).norm();
}

/// Signed area, positive if counter-clockwise. m^2
inline double triangle_area(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a, v = c - a;
  return 0.5 * (u.x() * v.y() - u.y() * v.x());
}

/// Unit normal; zero for a triangle without area.
Vec3 triangle_normal(const Vec3& a, const Vec3& b, const Vec3& c);

/// Radius of the circle through the corners; infinite for a triangle without area. m
double circumradius(const Vec3& a, const Vec3& b, const Vec3& c);
/// Radius of the circle that touches the edges. m
double inradius(const Vec3& a, const Vec3& b, const Vec3& c);
/// Twice inradius over circumradius: 1 for an equilateral triangle, 0 for one without area.
double triangle_quality(const Vec3& a, const Vec3& b, const Vec3& c);

/// Angle between the planes of triangles (x1, x3, x4) and (x2, x4, x3) about their common edge x3 -> x4:
/// atan2((n1 x n2) . e, n1 . n2), in (-pi, pi]; Thomaszewski 2010, 2.2.2. 0 if they continue each other,
/// positive if they fold away from the side the normals point to (a ridge seen from the front).
double dihedral_angle(const Vec3& x1, const Vec3& x2, const Vec3& x3, const Vec3& x4);

/// A point of a triangle: weights of the corners (their sum is 1) and the place.
struct TrianglePoint {
  Vec3 weights = Vec3::Zero();
  Vec3 position = Vec3::Zero();  // m
};

/// The point of the triangle nearest to p; works for triangles without area too.
TrianglePoint closest_point(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

struct RayHit {
  double t = 0.0;               // origin + t * direction
  Vec3 weights = Vec3::Zero();  // of the corners
};

/// Where the ray (t >= 0) meets the triangle, from either side; empty if it misses or runs in its plane.
std::optional<RayHit> intersect_ray(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b,
                                    const Vec3& c);

}  // namespace heddle
