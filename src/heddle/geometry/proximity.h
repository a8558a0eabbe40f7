#pragma once

#include <heddle/math/types.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle {

/// The four vertices of a pair, m: a vertex and the corners of a triangle, or an edge and another edge.
using PairPoints = std::array<Vec3, 4>;

/// The nearest points of the two sides of a pair. The weights of the first side are positive and sum to 1,
/// those of the second side are negative and sum to -1, so that sum_i weights[i] x[i] = distance * normal;
/// the normal points from the second side to the first.
struct Proximity {
  std::array<double, 4> weights{};
  double distance = 0.0;        // m
  Vec3 normal = Vec3::UnitZ();  // unit
};

namespace detail {

/// Below this squared sine of the angle between two edges, a solution in their plane is only one candidate.
inline constexpr double kFlatSine2 = 1e-10;

/// Smaller squares have lost digits.
inline constexpr double kTiny = 1e-290;

/// Parameter in [0, 1] of the point of a + s e nearest to the origin; 0 for e = 0.
inline double segment_parameter(const Vec3& a, const Vec3& e) {
  const double length2 = e.squaredNorm();
  return length2 > 0 ? std::clamp(-a.dot(e) / length2, 0.0, 1.0) : 0.0;
}

/// The shortest difference and its weights.
struct Nearest {
  double distance2 = HUGE_VAL;
  Vec3 difference = Vec3::Zero();
  std::array<double, 4> weights{};
  Vec3 edge = Vec3::Zero();  // that the difference is perpendicular to, if any
};

/// Of a difference that ends at the parameter s of an edge.
inline Nearest at_edge(const Vec3& difference, const std::array<double, 4>& weights, const Vec3& edge,
                       double s) {
  return {difference.squaredNorm(), difference, weights, s > 0 && s < 1 ? edge : Vec3(Vec3::Zero())};
}

inline void keep_nearer(Nearest& nearest, const Vec3& difference, const std::array<double, 4>& weights) {
  const double distance2 = difference.squaredNorm();
  if (distance2 < nearest.distance2) nearest = {distance2, difference, weights, Vec3::Zero()};
}

/// Unit vector perpendicular to the triangle or to both edges as far as they have directions.
Vec3 any_normal(const Vec3& u, const Vec3& v);

/// The direction of the difference; where that is lost in rounding, perpendicular to the sides u and v.
inline Proximity finish(const Nearest& nearest, const Vec3& u, const Vec3& v, double size2) {
  Proximity result{nearest.weights, std::sqrt(nearest.distance2), Vec3::UnitZ()};
  const Vec3& e = nearest.edge;
  const double e2 = e.squaredNorm();
  // Over a small distance the rounding of the positions turns the difference; the edge knows better.
  const Vec3 straight =
      e2 > 0 ? Vec3(nearest.difference - e * (nearest.difference.dot(e) / e2)) : nearest.difference;
  const double length2 = straight.squaredNorm();
  result.normal =
      length2 > 1e-28 * size2 && length2 > kTiny ? straight / std::sqrt(length2) : any_normal(u, v);
  return result;
}

/// Both nearest points lie inside: the difference is along n, and `offset` leads from the second side's plane
/// to the first.
inline Proximity along(const Vec3& n, double n2, const Vec3& offset, const std::array<double, 4>& weights) {
  const double length = std::sqrt(n2), height = offset.dot(n) / length;
  return {weights, std::abs(height), n * (std::copysign(1.0, height) / length)};
}

}  // namespace detail

// Both functions work on differences of positions, so their rounding error is a few units in the last place
// of the size of the pair, wherever in space it lies. Triangles without area, parallel and collinear edges,
// and edges without length are answered as the limits they are. The normal is of length 1 always; where the
// distance is lost in rounding, it is perpendicular to the triangle or to both edges, on either side.

/// x = (vertex, three corners).
inline Proximity vertex_triangle_proximity(const PairPoints& x) {
  const Vec3 a = x[1] - x[0], ab = x[2] - x[1], ac = x[3] - x[1];
  const Vec3 n = ab.cross(ac);
  const double n2 = n.squaredNorm(), ab2 = ab.squaredNorm(), ac2 = ac.squaredNorm();
  const double wb = -a.cross(ac).dot(n), wc = a.cross(ab).dot(n);  // times n2
  const bool inside = n2 > detail::kTiny && wb >= 0 && wc >= 0 && wb + wc <= n2;
  const double wb1 = wb / n2, wc1 = wc / n2;
  const std::array<double, 4> weights{1, wb1 + wc1 - 1, -wb1, -wc1};
  if (inside && n2 > detail::kFlatSine2 * ab2 * ac2) return detail::along(n, n2, -a, weights);
  const Vec3 b = x[2] - x[0], bc = x[3] - x[2];
  const double s = detail::segment_parameter(a, ab), t = detail::segment_parameter(b, bc),
               u = detail::segment_parameter(a, ac);
  const Vec3 on_ab = -(a + s * ab), on_bc = -(b + t * bc), on_ac = -(a + u * ac);
  const double ab_distance2 = on_ab.squaredNorm(), bc_distance2 = on_bc.squaredNorm(),
               ac_distance2 = on_ac.squaredNorm();
  detail::Nearest nearest;
  if (ab_distance2 <= bc_distance2 && ab_distance2 <= ac_distance2)
    nearest = detail::at_edge(on_ab, {1, s - 1, -s, 0}, ab, s);
  else if (bc_distance2 <= ac_distance2)
    nearest = detail::at_edge(on_bc, {1, 0, t - 1, -t}, bc, t);
  else
    nearest = detail::at_edge(on_ac, {1, u - 1, 0, -u}, ac, u);
  if (inside) detail::keep_nearer(nearest, -(a + wb1 * ab + wc1 * ac), weights);
  return detail::finish(nearest, ab, ac, std::max(a.squaredNorm(), ab2 + ac2));
}

/// x = (ends of the first edge, ends of the second edge).
inline Proximity edge_edge_proximity(const PairPoints& x) {
  const Vec3 u = x[1] - x[0], v = x[3] - x[2], r = x[2] - x[0];
  const Vec3 n = u.cross(v);
  const double n2 = n.squaredNorm(), u2 = u.squaredNorm(), v2 = v.squaredNorm();
  const double s = r.cross(v).dot(n), t = r.cross(u).dot(n);  // times n2
  const bool inside = n2 > detail::kTiny && s >= 0 && s <= n2 && t >= 0 && t <= n2;
  const double p = s / n2, q = t / n2;
  const std::array<double, 4> weights{1 - p, p, q - 1, -q};
  if (inside && n2 > detail::kFlatSine2 * u2 * v2) return detail::along(n, n2, -r, weights);
  const Vec3 r1 = x[2] - x[1], r3 = x[3] - x[0];
  const double q0 = detail::segment_parameter(r, v), q1 = detail::segment_parameter(r1, v),
               p2 = detail::segment_parameter(-r, u), p3 = detail::segment_parameter(-r3, u);
  const Vec3 at0 = -(r + q0 * v), at1 = -(r1 + q1 * v), at2 = p2 * u - r, at3 = p3 * u - r3;
  const double d0 = at0.squaredNorm(), d1 = at1.squaredNorm(), d2 = at2.squaredNorm(), d3 = at3.squaredNorm();
  detail::Nearest nearest;
  if (std::min(d0, d1) <= std::min(d2, d3))
    nearest = d0 <= d1 ? detail::at_edge(at0, {1, 0, q0 - 1, -q0}, v, q0)
                       : detail::at_edge(at1, {0, 1, q1 - 1, -q1}, v, q1);
  else
    nearest = d2 <= d3 ? detail::at_edge(at2, {1 - p2, p2, -1, 0}, u, p2)
                       : detail::at_edge(at3, {1 - p3, p3, 0, -1}, u, p3);
  if (inside) detail::keep_nearer(nearest, p * u - r - q * v, weights);
  return detail::finish(nearest, u, v, std::max(r.squaredNorm(), u2 + v2));
}

}  // namespace heddle
