#include <heddle/geometry/oriented_box.h>

namespace heddle {

namespace {

/// How far the box reaches along a unit direction from its centre, m.
double reach(const OrientedBox& box, const Vec3& direction) {
  return (box.axes.transpose() * direction).cwiseAbs().dot(box.half);
}

}  // namespace

Vec3 nearest_point(const OrientedBox& box, const Vec3& point) {
  const Vec3 local = box.axes.transpose() * (point - box.centre);
  return box.centre + box.axes * local.cwiseMin(box.half).cwiseMax(-box.half);
}

// Projections from one box to the other by turns lead to their nearest points. On the way each pair of points
// bounds the distance from above, and the slab between the boxes perpendicular to them from below, so that
// most questions are answered at once.
bool are_apart(const OrientedBox& a, const OrientedBox& b, double distance) {
  constexpr int kRounds = 12;
  const Vec3 between = b.centre - a.centre;
  Vec3 on_a = a.centre;
  for (int round = 0; round < kRounds; ++round) {
    const Vec3 on_b = nearest_point(b, on_a);
    on_a = nearest_point(a, on_b);
    const Vec3 gap = on_b - on_a;
    const double above = gap.norm();
    if (!(above >= distance)) return false;
    const Vec3 direction = gap / above;
    if (between.dot(direction) - reach(a, direction) - reach(b, direction) >= distance) return true;
  }
  return false;
}

}  // namespace heddle
