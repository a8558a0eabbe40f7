#include <heddle/render/strokes.h>

#include <cmath>
#include <numbers>

namespace heddle {
namespace {

constexpr int kSides = 8;
constexpr float kHeadWidth = 0.4f;  // radius of an arrow's head by its length

/// The direction of the stroke at a point.
Vec3f direction_at(std::span<const Vec3f> points, size_t i) {
  const Vec3f along = points[std::min(i + 1, points.size() - 1)] - points[i > 0 ? i - 1 : 0];
  return along.squaredNorm() > 0 ? along.normalized() : Vec3f::UnitZ();
}

/// Points around a centre; `across` is turned along with the direction, so that the rings do not twist.
void add_ring(const Vec3f& centre, const Vec3f& direction, float radius, Vec3f& across, Surface& surface) {
  across -= across.dot(direction) * direction;
  across = across.squaredNorm() > 1e-6f ? across.normalized() : direction.unitOrthogonal();
  const Vec3f second = direction.cross(across);
  for (int k = 0; k < kSides; ++k) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / kSides;
    surface.positions.push_back(centre + radius * (std::cos(angle) * across + std::sin(angle) * second));
  }
}

void add_band(int first, int second, const Vec3f& colour, Surface& surface) {
  for (int k = 0; k < kSides; ++k) {
    const int next = (k + 1) % kSides;
    surface.triangles.push_back({first + k, first + next, second + k});
    surface.triangles.push_back({first + next, second + next, second + k});
    surface.face_colours.insert(surface.face_colours.end(), 2, colour);
  }
}

void add_fan(int ring, int middle, bool forward, const Vec3f& colour, Surface& surface) {
  for (int k = 0; k < kSides; ++k) {
    const int a = ring + k, b = ring + (k + 1) % kSides;
    surface.triangles.push_back(forward ? Triangle{a, b, middle} : Triangle{b, a, middle});
    surface.face_colours.push_back(colour);
  }
}

int count_of(const Surface& surface) {
  return static_cast<int>(surface.positions.size());
}

}  // namespace

void add_tube(std::span<const Vec3f> points, float radius, std::span<const Vec3f> colours, Surface& surface) {
  if (points.size() < 2) return;
  HEDDLE_CHECK_EQ(points.size(), colours.size());
  Vec3f across = direction_at(points, 0).unitOrthogonal();
  const int first = count_of(surface);
  for (size_t i = 0; i < points.size(); ++i) {
    add_ring(points[i], direction_at(points, i), radius, across, surface);
    const int ring = first + kSides * static_cast<int>(i);
    if (i > 0) add_band(ring - kSides, ring, colours[i - 1], surface);
  }
  const int last = count_of(surface) - kSides;
  surface.positions.push_back(points.front());
  surface.positions.push_back(points.back());
  add_fan(first, last + kSides, false, colours.front(), surface);
  add_fan(last, last + kSides + 1, true, colours.back(), surface);
}

void add_cone(const Vec3f& base, const Vec3f& tip, float radius, const Vec3f& colour, Surface& surface) {
  const Vec3f along = tip - base;
  if (!(along.squaredNorm() > 0)) return;
  Vec3f across = along.unitOrthogonal();
  const int ring = count_of(surface);
  add_ring(base, along.normalized(), radius, across, surface);
  surface.positions.push_back(tip);
  surface.positions.push_back(base);
  add_fan(ring, ring + kSides, true, colour, surface);
  add_fan(ring, ring + kSides + 1, false, colour, surface);
}

void add_arrow(std::span<const Vec3f> points, float radius, float head, const Vec3f& colour,
               Surface& surface) {
  if (points.size() < 2) return;
  // The shaft ends where the head begins: after the last point that is farther than it from the tip.
  const Vec3f tip = points.back();
  std::vector<Vec3f> shaft;
  for (const Vec3f& point : points)
    if ((tip - point).norm() > head) shaft.push_back(point);
  if (shaft.empty()) shaft.push_back(points.front());
  const Vec3f base = tip + head * (shaft.back() - tip).normalized();
  if ((shaft.back() - base).norm() > 1e-3f * head) shaft.push_back(base);
  const std::vector<Vec3f> colours(shaft.size(), colour);
  add_tube(shaft, radius, colours, surface);
  add_cone(shaft.back(), tip, kHeadWidth * head, colour, surface);
}

}  // namespace heddle
