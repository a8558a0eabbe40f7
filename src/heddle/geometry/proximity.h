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

/// 1 within an edge, 0 at its ends.
inline double inner(double s) {
  return s > 0 && s < 1 ? 1.0 : 0.0;
}

/// The shortest difference and its weights.
struct Nearest {
  double distance2 = HUGE_VAL;
  Vec3 difference = Vec3::Zero();
  std::array<double, 4> weights{};
  Vec3 edge = Vec3::Zero();  // that the difference is perpendicular to, if any
};

/// Replaces it if the difference, which is perpendicular to an edge, is shorter.
inline void keep_nearer(Nearest& nearest, const Vec3& difference, const std::array<double, 4>& weights,
                        const Vec3& edge) {
  const double distance2 = difference.squaredNorm();
  if (distance2 < nearest.distance2) nearest = {distance2, difference, weights, edge};
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
  result.normal = length2 > 1e-28 * size2 && length2 > kTiny ? Vec3(straight * (1 / std::sqrt(length2)))
                                                             : any_normal(u, v);
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
  const std::array<Vec3, 3> corner{x[1] - x[0], x[2] - x[0], x[3] - x[0]};
  const std::array<Vec3, 3> edge{x[2] - x[1], x[3] - x[2], x[1] - x[3]};
  const std::array<double, 3> length2{edge[0].squaredNorm(), edge[1].squaredNorm(), edge[2].squaredNorm()};
  // The two shorter edges, which meet at corner o, give the normal with the smallest error.
  const size_t longer = length2[1] > length2[0] ? 1 : 0, i = length2[2] > length2[longer] ? 2 : longer;
  const size_t j = i == 2 ? 0 : i + 1, o = 3 - i - j;
  const Vec3 &a = corner[o], &oi = edge[o], &jo = edge[j];
  const Vec3 n = jo.cross(oi);
  const double n2 = n.squaredNorm(), scale = length2[j] * length2[o];
  const double p = a.cross(jo).dot(n), q = a.cross(oi).dot(n);  // weights of corners i and j times n2
  const bool inside = n2 > detail::kTiny && p >= 0 && q >= 0 && p + q <= n2;
  const double wi = p / n2, wj = q / n2;
  std::array<double, 4> weights{1, 0, 0, 0};
  weights[1 + o] = std::min(wi + wj - 1, 0.0);
  weights[1 + i] = -wi;
  weights[1 + j] = -wj;
  if (inside && n2 > detail::kFlatSine2 * scale) return detail::along(n, n2, -a, weights);

  std::array<double, 3> s, distance2;
  std::array<Vec3, 3> difference;
  for (size_t e = 0; e < 3; ++e) {
    s[e] = detail::segment_parameter(corner[e], edge[e]);
    difference[e] = -(corner[e] + s[e] * edge[e]);
    distance2[e] = difference[e].squaredNorm();
  }
  const size_t first = distance2[1] < distance2[0] ? 1 : 0, k = distance2[2] < distance2[first] ? 2 : first;
  detail::Nearest nearest{distance2[k], difference[k], {1, 0, 0, 0}, detail::inner(s[k]) * edge[k]};
  nearest.weights[1 + k] = s[k] - 1;
  nearest.weights[k == 2 ? 1 : 2 + k] = -s[k];
  if (inside) detail::keep_nearer(nearest, -(a + wi * oi - wj * jo), weights, edge[i]);
  return detail::finish(nearest, oi, jo, std::max(a.squaredNorm(), length2[j] + length2[o]));
}

/// x = (ends of the first edge, ends of the second edge).
inline Proximity edge_edge_proximity(const PairPoints& x) {
  const std::array<Vec3, 2> edge{x[1] - x[0], x[3] - x[2]};
  const Vec3 &u = edge[0], &v = edge[1], r = x[2] - x[0];
  const Vec3 n = u.cross(v);
  const double n2 = n.squaredNorm(), u2 = u.squaredNorm(), v2 = v.squaredNorm();
  const double p = r.cross(v).dot(n), q = r.cross(u).dot(n);  // parameters times n2
  const bool inside = n2 > detail::kTiny && p >= 0 && p <= n2 && q >= 0 && q <= n2;
  const double wp = p / n2, wq = q / n2;
  const std::array<double, 4> weights{1 - wp, wp, wq - 1, -wq};
  if (inside && n2 > detail::kFlatSine2 * u2 * v2) return detail::along(n, n2, -r, weights);

  // Vertex i and the other edge, which starts at vertex 2 or 0.
  std::array<double, 4> s, distance2;
  std::array<Vec3, 4> difference;
  for (size_t i = 0; i < 4; ++i) {
    const Vec3 start = x[i < 2 ? 2 : 0] - x[i], &other = edge[i < 2 ? 1 : 0];
    s[i] = detail::segment_parameter(start, other);
    difference[i] = start + s[i] * other;
    distance2[i] = difference[i].squaredNorm();
  }
  const size_t low = distance2[1] < distance2[0] ? 1 : 0, high = distance2[3] < distance2[2] ? 3 : 2;
  const size_t k = distance2[high] < distance2[low] ? high : low, other = k < 2 ? 2 : 0;
  const double sign = k < 2 ? 1 : -1;
  detail::Nearest nearest{distance2[k], -sign * difference[k], {}, detail::inner(s[k]) * edge[other / 2]};
  nearest.weights[k] = sign;
  nearest.weights[other] = sign * (s[k] - 1);
  nearest.weights[other + 1] = -sign * s[k];
  if (inside) detail::keep_nearer(nearest, wp * u - r - wq * v, weights, u2 > v2 ? u : v);
  return detail::finish(nearest, u, v, std::max(r.squaredNorm(), u2 + v2));
}

}  // namespace heddle
