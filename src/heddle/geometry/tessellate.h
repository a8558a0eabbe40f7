#pragma once

#include <heddle/geometry/shapes.h>

#include <vector>

namespace heddle {

/// A surface to draw.
struct SurfaceMesh {
  std::vector<Vec3> positions;  // m
  std::vector<Triangle> triangles;
};

// Triangles of a shape, counter-clockwise seen from outside; closed except for the plane, which is a square
// grid of its `size`. A sphere has about 2000 triangles.
SurfaceMesh tessellate(const Plane& plane);
SurfaceMesh tessellate(const Sphere& sphere);
SurfaceMesh tessellate(const Box& box);
SurfaceMesh tessellate(const Capsule& capsule);
SurfaceMesh tessellate(const Cylinder& cylinder);
SurfaceMesh tessellate(const ShapeVariant& shape);

}  // namespace heddle
