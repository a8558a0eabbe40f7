#include <heddle/geometry/signed_distance.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

// Below this length squares of components underflow and a direction is meaningless.
constexpr double kShortest = 1e-150;

Vec3 unit_or(const Vec3& v, double length, const Vec3& otherwise) {
  return length > kShortest ? Vec3(v / length) : otherwise;
}

}  // namespace

SurfacePoint signed_distance(const Plane&, const Vec3& local) {
  return {local.z(), Vec3::UnitZ()};
}

SurfacePoint signed_distance(const Sphere& sphere, const Vec3& local) {
  const double length = local.norm();
  return {length - sphere.radius, unit_or(local, length, Vec3::UnitZ())};
}

SurfacePoint signed_distance(const Box& box, const Vec3& local) {
  // A rounded box is all points within `rounding` of a smaller core box.
  const Vec3 beyond = local.cwiseAbs() - (0.5 * box.size - Vec3::Constant(box.rounding));
  const Vec3 outside = beyond.cwiseMax(0.0);
  const double length = outside.norm();
  const Vec3 sign = local.unaryExpr([](double c) { return c < 0 ? -1.0 : 1.0; });
  if (length > kShortest) return {length - box.rounding, outside.cwiseProduct(sign) / length};
  int axis = 0;
  const double nearest = beyond.maxCoeff(&axis);
  return {nearest - box.rounding, sign[axis] * Vec3::Unit(axis)};
}

SurfacePoint signed_distance(const Capsule& capsule, const Vec3& local) {
  const double half = 0.5 * capsule.length;
  const Vec3 v = local - Vec3(0, 0, std::clamp(local.z(), -half, half));
  const double length = v.norm();
  return {length - capsule.radius, unit_or(v, length, Vec3::UnitX())};
}

SurfacePoint signed_distance(const Cylinder& cylinder, const Vec3& local) {
  const double from_axis = std::hypot(local.x(), local.y());
  const Vec3 radial = unit_or(Vec3(local.x(), local.y(), 0), from_axis, Vec3::UnitX());
  const Vec3 axial(0, 0, local.z() < 0 ? -1.0 : 1.0);
  const Vec2 beyond(from_axis - (cylinder.radius - cylinder.rounding),
                    std::abs(local.z()) - (0.5 * cylinder.height - cylinder.rounding));
  const Vec2 outside = beyond.cwiseMax(0.0);
  const double length = outside.norm();
  if (length > kShortest)
    return {length - cylinder.rounding, (outside.x() * radial + outside.y() * axial) / length};
  if (beyond.x() >= beyond.y()) return {beyond.x() - cylinder.rounding, radial};
  return {beyond.y() - cylinder.rounding, axial};
}

SurfacePoint signed_distance(const ShapeVariant& shape, const Vec3& local) {
  return std::visit([&](const auto& content) { return signed_distance(content, local); }, shape);
}

}  // namespace heddle
