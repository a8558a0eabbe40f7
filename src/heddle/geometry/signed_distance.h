#pragma once

#include <heddle/geometry/shapes.h>

namespace heddle {

/// How far a point is from a surface, and the way out.
struct SurfacePoint {
  double distance = 0.0;        // m, negative inside
  Vec3 normal = Vec3::UnitZ();  // unit gradient of the distance
};

// Exact signed distances; `local` in the coordinates of the shape, m. `point - distance * normal` is the
// nearest point of the surface. Defined everywhere: where several directions are equally good (centre of a
// sphere, medial axes) a fixed one of them is returned.
SurfacePoint signed_distance(const Plane& plane, const Vec3& local);
SurfacePoint signed_distance(const Sphere& sphere, const Vec3& local);
SurfacePoint signed_distance(const Box& box, const Vec3& local);
SurfacePoint signed_distance(const Capsule& capsule, const Vec3& local);
SurfacePoint signed_distance(const Cylinder& cylinder, const Vec3& local);
SurfacePoint signed_distance(const ShapeVariant& shape, const Vec3& local);

}  // namespace heddle
