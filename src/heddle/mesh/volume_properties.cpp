#include <heddle/geometry/tessellate.h>
#include <heddle/mesh/solid.h>

#include <numbers>

namespace heddle {

namespace {

using std::numbers::pi;

VolumeProperties about_axes(double volume, const Vec3& inertia) {
  return {volume, Vec3::Zero(), inertia.asDiagonal()};
}

VolumeProperties properties_of(const Plane&) {
  HEDDLE_CHECK(false);  // has no end
  return {};
}

VolumeProperties properties_of(const Sphere& sphere) {
  const double r = sphere.radius, volume = 4 * pi / 3 * r * r * r;
  return about_axes(volume, Vec3::Constant(0.4 * volume * r * r));
}

VolumeProperties properties_of(const Box& box) {
  if (box.rounding > 0) {
    const SurfaceMesh mesh = tessellate(box);
    return volume_properties(mesh.positions, mesh.triangles);
  }
  const double volume = box.size.prod();
  const Vec3 squares = box.size.cwiseAbs2();
  return about_axes(volume, volume / 12 * (Vec3::Constant(squares.sum()) - squares));
}

VolumeProperties properties_of(const Capsule& capsule) {
  const double r = capsule.radius, l = capsule.length, r2 = r * r;
  const double tube = pi * r2 * l, ends = 4 * pi / 3 * r2 * r;
  const double across = tube * (r2 / 4 + l * l / 12) + ends * (0.4 * r2 + 3.0 / 8 * r * l + l * l / 4);
  const double along = tube * r2 / 2 + ends * 0.4 * r2;
  return about_axes(tube + ends, {across, across, along});
}

VolumeProperties properties_of(const Cylinder& cylinder) {
  if (cylinder.rounding > 0) {
    const SurfaceMesh mesh = tessellate(cylinder);
    return volume_properties(mesh.positions, mesh.triangles);
  }
  const double r2 = cylinder.radius * cylinder.radius, h = cylinder.height, volume = pi * r2 * h;
  const double across = volume * (r2 / 4 + h * h / 12);
  return about_axes(volume, {across, across, volume * r2 / 2});
}

}  // namespace

// Sums over tetrahedra from one point to every face, which leaves out digits only where the body is far from
// that point: it is taken near the middle.
VolumeProperties volume_properties(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  const Vec3 origin = bounding_box(positions).center();
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const Triangle& t : triangles) {
    const Vec3 a = positions[static_cast<size_t>(t[0])] - origin,
               b = positions[static_cast<size_t>(t[1])] - origin,
               c = positions[static_cast<size_t>(t[2])] - origin;
    const double part = a.dot(b.cross(c)) / 6;
    const Vec3 sum = a + b + c;
    volume += part;
    first += part / 4 * sum;
    second += part / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  if (volume == 0) return {0, origin, Mat3::Zero()};
  const Vec3 centre = first / volume;
  const Mat3 spread = second - volume * centre * centre.transpose();
  return {volume, origin + centre, spread.trace() * Mat3::Identity() - spread};
}

VolumeProperties volume_properties(const ShapeVariant& shape) {
  return std::visit([](const auto& content) { return properties_of(content); }, shape);
}

}  // namespace heddle
