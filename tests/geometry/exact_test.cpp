#include "exact_contact.h"
#include "exact_polynomial.h"
#include "pair_motions.h"

#include <heddle/geometry/exact.h>
#include <heddle/geometry/triangles_intersect.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

using test::Integer;

/// Times 2^60; coordinates are multiples of that.
Integer whole(double x) {
  return Integer(static_cast<std::int64_t>(std::ldexp(x, 60)));
}

int exact_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<std::array<Integer, 3>, 3> m;
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<size_t>(k);
    m[0][axis] = whole(b[k]) - whole(a[k]);
    m[1][axis] = whole(c[k]) - whole(a[k]);
    m[2][axis] = whole(d[k]) - whole(a[k]);
  }
  const Integer det = (m[0][1] * m[1][2] - m[0][2] * m[1][1]) * m[2][0] +
                      (m[0][2] * m[1][0] - m[0][0] * m[1][2]) * m[2][1] +
                      (m[0][0] * m[1][1] - m[0][1] * m[1][0]) * m[2][2];
  return det.sign();
}

Vec3 on_lattice(Vec3 x) {
  for (double& c : x) c = std::ldexp(std::round(std::ldexp(c, 58)), -58);
  return x;
}

Vec3 random_point(Random& random) {
  return on_lattice(Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
}

/// In the plane of the others up to rounding, or exactly.
Vec3 nearly_in_plane(Random& random, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (random.below(4) == 0) return b + c - a;
  const double s = random.uniform(-1, 1), t = random.uniform(-1, 1);
  return on_lattice(a + s * (b - a) + t * (c - a));
}

TEST(Exact, Orient3dHasTheExactSign) {
  Random random(1);
  std::array<int, 3> seen{};
  for (int i = 0; i < 100000; ++i) {
    const Vec3 a = random_point(random), b = random_point(random), c = random_point(random);
    const Vec3 d = i % 2 ? nearly_in_plane(random, a, b, c) : random_point(random);
    const int expected = exact_sign(a, b, c, d);
    ++seen[static_cast<size_t>(expected + 1)];
    ASSERT_EQ(orient3d(a, b, c, d), expected);
    ASSERT_EQ(detail::exact_orient3d(a, b, c, d), expected);
    ASSERT_EQ(orient3d(b, a, c, d), -expected);
    ASSERT_EQ(orient3d(c, a, b, d), expected);
  }
  for (const int count : seen) EXPECT_GT(count, 10);
}

TEST(Exact, Orient2dHasTheExactSign) {
  Random random(2);
  for (int i = 0; i < 100000; ++i) {
    const Vec3 a = random_point(random), b = random_point(random);
    const Vec3 c = i % 2 ? nearly_in_plane(random, a, b, a) : random_point(random);
    const Vec2 p = a.head<2>(), q = b.head<2>(), r = c.head<2>();
    const Integer det = (whole(q.x()) - whole(p.x())) * (whole(r.y()) - whole(p.y())) -
                        (whole(q.y()) - whole(p.y())) * (whole(r.x()) - whole(p.x()));
    ASSERT_EQ(orient2d(p, q, r), det.sign());
    ASSERT_EQ(detail::exact_orient2d(p, q, r), det.sign());
  }
}

TEST(Exact, SignsOfWidelySpreadNumbers) {
  const Vec3 a(1e30, 0, 0), b(0, 1e-30, 0), c(0, 0, 1);
  EXPECT_EQ(orient3d(a, b, c, (a + b) / 2), 0);
  EXPECT_EQ(orient3d(a, b, c, Vec3(0, 0, 1 - 0x1.0p-53)), -1);
  EXPECT_EQ(orient3d(a, b, c, Vec3(0, 0, 1 + 0x1.0p-52)), 1);
}

/// The segment as the path of a vertex.
bool path_meets(const Vec3& p, const Vec3& q, const TrianglePoints& t) {
  return test::exact_vertex_triangle_contact({p, t[0], t[1], t[2]}, {q, t[0], t[1], t[2]});
}

bool any_edge_meets(const TrianglePoints& edges, const TrianglePoints& t) {
  return path_meets(edges[0], edges[1], t) || path_meets(edges[1], edges[2], t) ||
         path_meets(edges[2], edges[0], t);
}

TrianglePoints random_triangle(Random& random, bool on_grid) {
  TrianglePoints t;
  for (Vec3& corner : t) {
    corner = random_point(random);
    if (on_grid) corner = (corner * 2.49).array().round();
  }
  return t;
}

TEST(Exact, TrianglesIntersectLikeTheOracle) {
  Random random(3);
  int meet = 0;
  const int queries = 30000;
  for (int i = 0; i < queries; ++i) {
    const bool on_grid = i % 2;
    TrianglePoints a = random_triangle(random, on_grid), b = random_triangle(random, on_grid);
    if (i % 8 == 1)  // in one plane
      for (size_t k = 0; k < 3; ++k) a[k].y() = b[k].y() = 1;
    const bool expected = any_edge_meets(a, b) || any_edge_meets(b, a);
    meet += expected;
    ASSERT_EQ(triangles_intersect(a, b), expected) << i;
    ASSERT_EQ(triangles_intersect(b, a), expected) << i;
  }
  EXPECT_GT(meet, queries / 10);
  EXPECT_LT(meet, queries * 9 / 10);
}

TEST(Exact, NeighboursAtAVertexIntersectLikeTheOracle) {
  Random random(4);
  int meet = 0, compared = 0;
  for (int i = 0; i < 20000; ++i) {
    const TrianglePoints a = random_triangle(random, i % 2);
    TrianglePoints b = random_triangle(random, i % 2);
    b[0] = a[0];
    const auto area = [](const TrianglePoints& t) { return (t[1] - t[0]).cross(t[2] - t[0]).norm(); };
    if (area(a) == 0 || area(b) == 0) continue;
    const bool expected = path_meets(a[1], a[2], b) || path_meets(b[1], b[2], a);
    ++compared;
    meet += expected;
    ASSERT_EQ(triangles_intersect_beyond_vertex(a, b), expected) << i;
    ASSERT_TRUE(triangles_intersect(a, b)) << "in the vertex";
  }
  EXPECT_GT(meet, compared / 10);
  EXPECT_LT(meet, compared * 9 / 10);
}

TEST(Exact, NeighboursAtAnEdgeIntersectWhenFoldedFlat) {
  const Vec3 u(0.125, 0.75, 0.25), v(1.125, 0.25, 1), side(0.25, 0.5, -1);
  const TrianglePoints a{u, v, u + side};
  EXPECT_TRUE(triangles_intersect_beyond_edge(a, {u, v, v + side}));
  EXPECT_FALSE(triangles_intersect_beyond_edge(a, {u, v, v - side})) << "opened flat";
  EXPECT_FALSE(triangles_intersect_beyond_edge(a, {u, v, v + side + Vec3(0, 1e-15, 0)})) << "open by a hair";
  EXPECT_TRUE(triangles_intersect_beyond_edge(a, {u, v, u + side}));
}

TEST(Exact, TouchingIsIntersecting) {
  const TrianglePoints flat{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  EXPECT_TRUE(triangles_intersect(flat, {Vec3(0.25, 0.25, 0), Vec3(1, 1, 1), Vec3(0, 0, 1)}));
  EXPECT_FALSE(triangles_intersect(flat, {Vec3(0.25, 0.25, 1e-60), Vec3(1, 1, 1), Vec3(0, 0, 1)}));
  EXPECT_TRUE(triangles_intersect(flat, {Vec3(0.25, 0.25, -1), Vec3(0.5, 0.25, 1), Vec3(0.25, 0.5, 1)}));
}

}  // namespace
}  // namespace heddle
