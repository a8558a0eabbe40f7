#include <heddle/mesh/carried_point.h>

#include <heddle/core/check.h>
#include <heddle/geometry/proximity.h>

namespace heddle {

namespace {

std::array<Vec3, 3> corners_of(const Triangle& triangle, std::span<const Vec3> positions) {
  const auto place = [&](size_t k) { return positions[static_cast<size_t>(triangle[k])]; };
  return {place(0), place(1), place(2)};
}

/// Along the first edge, across it in the plane, and normal to the plane.
Mat3 axes_of(const std::array<Vec3, 3>& corner) {
  const Vec3 along = (corner[1] - corner[0]).normalized();
  const Vec3 normal = along.cross(corner[2] - corner[0]).normalized();
  Mat3 axes;
  axes << along, normal.cross(along), normal;
  return axes;
}

Vec3 base_of(const CarriedPoint& point, const std::array<Vec3, 3>& corner) {
  return point.weights[0] * corner[0] + point.weights[1] * corner[1] + point.weights[2] * corner[2];
}

CarriedPoint nearest_point(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                           const Vec3& x) {
  CarriedPoint nearest;
  double distance = HUGE_VAL;
  for (const Triangle& triangle : triangles) {
    const std::array<Vec3, 3> corner = corners_of(triangle, positions);
    const Proximity near = vertex_triangle_proximity({x, corner[0], corner[1], corner[2]});
    if (!(near.distance < distance)) continue;
    distance = near.distance;
    nearest.corners = triangle;
    nearest.weights = {-near.weights[1], -near.weights[2], -near.weights[3]};
  }
  const std::array<Vec3, 3> corner = corners_of(nearest.corners, positions);
  nearest.offset = axes_of(corner).transpose() * (x - base_of(nearest, corner));
  return nearest;
}

}  // namespace

Vec3 CarriedPoint::at(const MovingSurface& surface, double time) const {
  const std::array<Vec3, 3> corner = surface.positions(corners, time);
  return base_of(*this, corner) + axes_of(corner) * offset;
}

std::vector<CarriedPoint> carried_points(const MovingSurface& surface, std::span<const Vec3> places,
                                         double time) {
  HEDDLE_CHECK(!surface.triangles.empty());
  const std::vector<Vec3> positions = surface.positions(time);
  std::vector<CarriedPoint> points;
  for (const Vec3& x : places) points.push_back(nearest_point(positions, surface.triangles, x));
  return points;
}

}  // namespace heddle
