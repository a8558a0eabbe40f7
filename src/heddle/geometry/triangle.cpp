#include <heddle/geometry/triangle.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {

namespace {

/// Weight of b for the point of the segment a-b nearest to p.
double segment_parameter(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 edge = b - a;
  const double length2 = edge.squaredNorm();
  return length2 > 0 ? std::clamp((p - a).dot(edge) / length2, 0.0, 1.0) : 0.0;
}

}  // namespace

Vec3 triangle_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = area_vector_twice(a, b, c);
  const double length = normal.norm();
  return length > 0 ? Vec3(normal / length) : Vec3::Zero();
}

double circumradius(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double twice_area = area_vector_twice(a, b, c).norm();
  if (twice_area == 0) return std::numeric_limits<double>::infinity();
  return (b - a).norm() * (c - b).norm() * (a - c).norm() / (2 * twice_area);
}

double inradius(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double perimeter = (b - a).norm() + (c - b).norm() + (a - c).norm();
  return perimeter > 0 ? area_vector_twice(a, b, c).norm() / perimeter : 0.0;
}

double triangle_quality(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 2 * inradius(a, b, c) / circumradius(a, b, c);
}

double dihedral_angle(const Vec3& x1, const Vec3& x2, const Vec3& x3, const Vec3& x4) {
  const Vec3 n1 = (x1 - x3).cross(x1 - x4).normalized();
  const Vec3 n2 = (x2 - x4).cross(x2 - x3).normalized();
  const Vec3 edge = (x4 - x3).normalized();
  return std::atan2(n1.cross(n2).dot(edge), n1.dot(n2));
}

TrianglePoint closest_point(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = area_vector_twice(a, b, c);
  const double scale = normal.squaredNorm();
  if (scale > 0) {
    // Barycentric coordinates of the projection of p to the plane.
    const double wb = (p - a).cross(c - a).dot(normal) / scale;
    const double wc = (b - a).cross(p - a).dot(normal) / scale;
    if (wb >= 0 && wc >= 0 && wb + wc <= 1)
      return {Vec3(1 - wb - wc, wb, wc), (1 - wb - wc) * a + wb * b + wc * c};
  }
  const std::array<Vec3, 3> corner{a, b, c};
  TrianglePoint best;
  double best_distance = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const double s = segment_parameter(p, corner[i], corner[j]);
    const Vec3 point = (1 - s) * corner[i] + s * corner[j];
    const double distance = (p - point).squaredNorm();
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = {Vec3::Zero(), point};
    best.weights[static_cast<int>(i)] = 1 - s;
    best.weights[static_cast<int>(j)] = s;
  }
  return best;
}

std::optional<RayHit> intersect_ray(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b,
                                    const Vec3& c) {
  const Vec3 normal = area_vector_twice(a, b, c);
  const double speed = direction.dot(normal);
  if (speed == 0) return {};
  const double t = (a - origin).dot(normal) / speed;
  if (!(t >= 0)) return {};
  const Vec3 moment = (origin - a).cross(direction);
  const double wb = -moment.dot(c - a) / speed, wc = moment.dot(b - a) / speed;
  if (!(wb >= 0 && wc >= 0 && wb + wc <= 1)) return {};
  return RayHit{t, Vec3(1 - wb - wc, wb, wc)};
}

}  // namespace heddle
