#include <heddle/geometry/exact.h>
#include <heddle/geometry/triangles_intersect.h>

#include <algorithm>

namespace heddle {

namespace {

/// The point without the coordinate of an axis.
Vec2 drop(const Vec3& x, int axis) {
  return {x[(axis + 1) % 3], x[(axis + 2) % 3]};
}

template <class Point>
bool boxes_overlap(const Point& low, const Point& high, const Point& other_low, const Point& other_high) {
  return (low.array() <= other_high.array()).all() && (other_low.array() <= high.array()).all();
}

/// The boxes of two segments.
template <class Point>
bool near_each_other(const Point& p, const Point& q, const Point& a, const Point& b) {
  return boxes_overlap<Point>(p.cwiseMin(q), p.cwiseMax(q), a.cwiseMin(b), a.cwiseMax(b));
}

bool near_each_other(const Vec3& p, const Vec3& q, const TrianglePoints& t) {
  return boxes_overlap<Vec3>(p.cwiseMin(q), p.cwiseMax(q), t[0].cwiseMin(t[1]).cwiseMin(t[2]),
                             t[0].cwiseMax(t[1]).cwiseMax(t[2]));
}

bool segments_intersect(const Vec2& p, const Vec2& q, const Vec2& a, const Vec2& b) {
  const int sa = orient2d(p, q, a), sb = orient2d(p, q, b);
  if (sa * sb > 0) return false;
  const int sp = orient2d(a, b, p), sq = orient2d(a, b, q);
  if (sp * sq > 0) return false;
  const bool on_a_line = sa == 0 && sb == 0 && sp == 0 && sq == 0;
  return !on_a_line || near_each_other(p, q, a, b);
}

/// Points of a plane meet in space if and only if their shadows along all three axes meet: at least one
/// shadow of the plane is not a line.
bool segments_intersect(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
  if (!near_each_other(p, q, a, b) || orient3d(p, q, a, b) != 0) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (!segments_intersect(drop(p, axis), drop(q, axis), drop(a, axis), drop(b, axis))) return false;
  return true;
}

bool all_same(int x, int y, int z) {
  return x == y && y == z;
}

/// p in the plane of the triangle; false for a triangle without area.
bool is_strictly_inside(const Vec3& p, const TrianglePoints& t) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vec2 a = drop(t[0], axis), b = drop(t[1], axis), c = drop(t[2], axis), x = drop(p, axis);
    if (orient2d(a, b, c) == 0) continue;
    return all_same(orient2d(a, b, x), orient2d(b, c, x), orient2d(c, a, x)) && orient2d(a, b, x) != 0;
  }
  return false;
}

/// The segment lies in the plane of the triangle, or the triangle has none.
bool flat_intersect(const Vec3& p, const Vec3& q, const TrianglePoints& t) {
  return segments_intersect(p, q, t[0], t[1]) || segments_intersect(p, q, t[1], t[2]) ||
         segments_intersect(p, q, t[2], t[0]) || is_strictly_inside(p, t);
}

/// sp and sq tell on which side of the triangle p and q lie.
bool segment_meets(const Vec3& p, const Vec3& q, int sp, int sq, const TrianglePoints& t) {
  if (sp * sq > 0) return false;
  if (sp == 0 && sq == 0) return flat_intersect(p, q, t);
  const int s0 = orient3d(p, q, t[0], t[1]), s1 = orient3d(p, q, t[1], t[2]);
  if (s0 * s1 < 0) return false;
  const int s2 = orient3d(p, q, t[2], t[0]);
  return s0 * s2 >= 0 && s1 * s2 >= 0;
}

std::array<int, 3> sides(const TrianglePoints& points, const TrianglePoints& plane) {
  std::array<int, 3> result;
  for (size_t i = 0; i < 3; ++i) result[i] = orient3d(plane[0], plane[1], plane[2], points[i]);
  return result;
}

bool all_on_one_side(const std::array<int, 3>& side) {
  return side[0] != 0 && all_same(side[0], side[1], side[2]);
}

bool any_edge_meets(const TrianglePoints& edges, const std::array<int, 3>& side, const TrianglePoints& t) {
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    if (segment_meets(edges[i], edges[j], side[i], side[j], t)) return true;
  }
  return false;
}

}  // namespace

bool segment_intersects_triangle(const Vec3& p, const Vec3& q, const TrianglePoints& t) {
  if (!near_each_other(p, q, t)) return false;
  return segment_meets(p, q, orient3d(t[0], t[1], t[2], p), orient3d(t[0], t[1], t[2], q), t);
}

bool triangles_intersect(const TrianglePoints& a, const TrianglePoints& b) {
  const std::array<int, 3> side_a = sides(a, b);
  if (all_on_one_side(side_a)) return false;
  const std::array<int, 3> side_b = sides(b, a);
  if (all_on_one_side(side_b)) return false;
  return any_edge_meets(a, side_a, b) || any_edge_meets(b, side_b, a);
}

// The common points form a convex set. If it holds more than the shared vertex, it holds a segment from there
// that ends on the far edge of one of the two.
bool triangles_intersect_beyond_vertex(const TrianglePoints& a, const TrianglePoints& b) {
  return segment_intersects_triangle(a[1], a[2], b) || segment_intersects_triangle(b[1], b[2], a);
}

// A common point besides the edge makes a common triangle with it, so both lie in one plane.
bool triangles_intersect_beyond_edge(const TrianglePoints& a, const TrianglePoints& b) {
  if (orient3d(a[0], a[1], a[2], b[2]) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec2 p = drop(a[0], axis), q = drop(a[1], axis);
    if (orient2d(p, q, drop(a[2], axis)) * orient2d(p, q, drop(b[2], axis)) > 0) return true;
  }
  return false;
}

}  // namespace heddle
