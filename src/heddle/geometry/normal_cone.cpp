#include <heddle/geometry/normal_cone.h>
#include <heddle/geometry/triangle.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

double longest_side_squared(const std::array<Vec3, 3>& x) {
  return std::max({(x[1] - x[0]).squaredNorm(), (x[2] - x[1]).squaredNorm(), (x[0] - x[2]).squaredNorm()});
}

/// A cone of one direction; open for the zero vector.
NormalCone cone_of_vector(const Vec3& n) {
  NormalCone cone;
  const double length = n.norm();
  if (!(length > 0.0)) return cone;
  cone.axis = (n / length).cast<float>();
  cone.cosine = 1.0f;
  return cone;
}

}  // namespace

NormalCone cone_of_triangle(const std::array<Vec3, 3>& x) {
  const Vec3 n = area_vector_twice(x[0], x[1], x[2]);
  NormalCone cone = cone_of_vector(n);
  const double side = longest_side_squared(x);
  if (side > 0.0) cone.height = static_cast<float>(std::sqrt(n.squaredNorm() / side));
  return cone;
}

NormalCone cone_of_moving_triangle(const std::array<Vec3, 3>& begin, const std::array<Vec3, 3>& end) {
  const Vec3 b0 = area_vector_twice(begin[0], begin[1], begin[2]);
  const Vec3 b2 = area_vector_twice(end[0], end[1], end[2]);
  const Vec3 u = (end[1] - begin[1]) - (end[0] - begin[0]);
  const Vec3 v = (end[2] - begin[2]) - (end[0] - begin[0]);
  const Vec3 b1 = 0.5 * (b0 + b2 - u.cross(v));
  const double l0 = b0.norm(), l1 = b1.norm(), l2 = b2.norm();
  NormalCone cone;
  if (!(l0 > 0.0 && l1 > 0.0 && l2 > 0.0)) return cone;
  const Vec3 axis = (b0 / l0 + b1 / l1 + b2 / l2).normalized();
  const double p0 = b0.dot(axis), p1 = b1.dot(axis), p2 = b2.dot(axis);
  const double cosine = std::min({p0 / l0, p1 / l1, p2 / l2, 1.0});
  if (!(cosine > 0.0)) return cone;
  cone.axis = axis.cast<float>();
  cone.cosine = static_cast<float>(cosine);
  cone.sine = static_cast<float>(std::sqrt(1.0 - cosine * cosine));
  // |n(t)| >= n(t) . axis, and the sides are longest at one of the ends.
  const double side = std::max(longest_side_squared(begin), longest_side_squared(end));
  cone.height = static_cast<float>(std::min({p0, p1, p2}) / std::sqrt(side));
  return cone;
}

namespace {

/// Cosine and sine of an angle; sums and halves of angles without trigonometry keep all digits of small ones.
struct Turn {
  float c, s;
  Turn plus(Turn o) const { return {c * o.c - s * o.s, s * o.c + c * o.s}; }
  Turn minus(Turn o) const { return {c * o.c + s * o.s, s * o.c - c * o.s}; }
  /// Of half the angle, for angles in [0, pi).
  Turn half() const {
    if (c > 0.0f) {
      const float cosine = std::sqrt(0.5f * (1.0f + c));
      return {cosine, s / (2.0f * cosine)};
    }
    const float sine = std::sqrt(0.5f * (1.0f - c));
    return {s / (2.0f * sine), sine};
  }
};

NormalCone with(NormalCone cone, const Vec3f& axis, Turn angle) {
  cone.axis = axis;
  cone.cosine = angle.c;
  cone.sine = angle.s;
  return cone;
}

}  // namespace

// With half angles g, h and angle beta between the axes the cone of both has the half angle
// (beta + g + h) / 2, and its axis lies (beta + h - g) / 2 from a's.
NormalCone merged(const NormalCone& a, const NormalCone& b) {
  NormalCone both;
  both.height = std::min(a.height, b.height);
  if (a.open() || b.open()) return both;
  const Vec3f cross = a.axis.cross(b.axis);
  const Turn beta{a.axis.dot(b.axis), cross.norm()}, g{a.cosine, a.sine}, h{b.cosine, b.sine};
  if (beta.c > 0.0f && g.minus(h).minus(beta).s >= 0.0f) return with(both, a.axis, g);
  if (beta.c > 0.0f && h.minus(g).minus(beta).s >= 0.0f) return with(both, b.axis, h);
  const Turn all = beta.plus(g).plus(h);
  const bool below_pi = (all.c > 0.0f && beta.c > 0.0f) || (all.s > 1e-5f && beta.c > -0.999f);
  if (!below_pi || beta.s <= 0.0f) return both;
  const Turn turn = beta.plus(h).minus(g).half();
  const Vec3f across = cross.cross(a.axis) / beta.s;
  return with(both, (turn.c * a.axis + turn.s * across).normalized(), all.half());
}

}  // namespace heddle
