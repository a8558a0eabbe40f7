#include <heddle/core/random.h>
#include <heddle/mesh/delaunay.h>

#include <gtest/gtest.h>

#include <set>

namespace heddle {
namespace {

std::vector<LatticePoint> corners(int64_t width, int64_t height) {
  return {{0, 0}, {width, 0}, {width, height}, {0, height}};
}

/// Adds `count` distinct points of the rectangle, its border included.
std::vector<LatticePoint> random_points(int64_t width, int64_t height, int count, uint64_t seed) {
  std::vector<LatticePoint> points = corners(width, height);
  std::set<LatticePoint> known(points.begin(), points.end());
  Random random(seed);
  while (static_cast<int>(points.size()) < count) {
    const LatticePoint p{random.below(width + 1), random.below(height + 1)};
    if (known.insert(p).second) points.push_back(p);
  }
  return points;
}

long double in_circle(const LatticePoint& a, const LatticePoint& b, const LatticePoint& c,
                      const LatticePoint& p) {
  const auto row = [&](const LatticePoint& q) {
    const long double x = static_cast<long double>(q[0] - p[0]), y = static_cast<long double>(q[1] - p[1]);
    return std::array<long double, 3>{x, y, x * x + y * y};
  };
  const auto u = row(a), v = row(b), w = row(c);
  return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) +
         u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/// Triangles fill the rectangle, use every point, and no circle holds a point.
void expect_delaunay(const std::vector<LatticePoint>& points) {
  const std::vector<Triangle> triangles = delaunay_in_rectangle(points);
  int64_t area = 0;
  std::set<int> used;
  for (const auto& [i, j, k] : triangles) {
    const LatticePoint &a = points[static_cast<size_t>(i)], &b = points[static_cast<size_t>(j)],
                       &c = points[static_cast<size_t>(k)];
    const int64_t twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    ASSERT_GT(twice, 0);
    area += twice;
    used.insert({i, j, k});
    for (const LatticePoint& p : points) ASSERT_LE(in_circle(a, b, c, p), 0);
  }
  EXPECT_EQ(area, 2 * points[2][0] * points[2][1]);
  EXPECT_EQ(used.size(), points.size());
}

TEST(Delaunay, RectangleAlone) {
  EXPECT_EQ(delaunay_in_rectangle(corners(10, 20)).size(), 2u);
}

TEST(Delaunay, RandomPoints) {
  for (uint64_t seed = 0; seed < 20; ++seed) expect_delaunay(random_points(10000, 7000, 150, seed));
}

TEST(Delaunay, ManyPointsOnCirclesLinesAndTheBorder) {
  for (uint64_t seed = 0; seed < 200; ++seed) expect_delaunay(random_points(6, 5, 5 + seed % 38, seed));
}

TEST(Delaunay, FullRange) {
  const std::vector<LatticePoint> points = random_points(kLatticeLimit, kLatticeLimit, 60, 3);
  EXPECT_EQ(delaunay_in_rectangle(points).size(), 2 * 56 + 2u);
}

TEST(Delaunay, RejectsPointsOutsideTheLattice) {
  std::vector<LatticePoint> points = corners(10, 10);
  points.push_back({-1, 5});
  EXPECT_THROW(delaunay_in_rectangle(points), std::logic_error);
}

}  // namespace
}  // namespace heddle
