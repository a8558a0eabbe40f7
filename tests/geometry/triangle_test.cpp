#include <heddle/core/random.h>
#include <heddle/geometry/triangle.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {
namespace {

Vec3 random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

TEST(Triangle, KnownMeasures) {
  const Vec3 a(0, 0, 0), b(3, 0, 0), c(0, 4, 0);
  EXPECT_DOUBLE_EQ(triangle_area(a, b, c), 6.0);
  EXPECT_DOUBLE_EQ(triangle_area(Vec2(0, 0), Vec2(0, 4), Vec2(3, 0)), -6.0);
  EXPECT_DOUBLE_EQ(circumradius(a, b, c), 2.5);
  EXPECT_DOUBLE_EQ(inradius(a, b, c), 1.0);
  EXPECT_EQ(triangle_normal(a, b, c), Vec3::UnitZ());
  EXPECT_NEAR(triangle_quality(a, Vec3(1, 0, 0), Vec3(0.5, std::sqrt(0.75), 0)), 1.0, 1e-15);
}

TEST(Triangle, WithoutAreaHasNoNormalAndNoQuality) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(3, 0, 0);
  EXPECT_EQ(triangle_normal(a, b, c), Vec3::Zero());
  EXPECT_EQ(triangle_quality(a, b, c), 0.0);
  EXPECT_NEAR((closest_point(Vec3(2, 1, 0), a, b, c).position - Vec3(2, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((closest_point(Vec3(2, 1, 0), a, a, a).position - a).norm(), 0, 1e-15);
}

TEST(Triangle, ClosestPointBeatsAllSamples) {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    const Vec3 a = random_vector(random), b = random_vector(random), c = random_vector(random);
    const Vec3 p = 2 * random_vector(random);
    const TrianglePoint found = closest_point(p, a, b, c);
    EXPECT_NEAR(found.weights.sum(), 1, 1e-12);
    EXPECT_GE(found.weights.minCoeff(), -1e-12);
    const Vec3 rebuilt = found.weights.x() * a + found.weights.y() * b + found.weights.z() * c;
    EXPECT_LT((rebuilt - found.position).norm(), 1e-12);
    double nearest = 1e9;
    for (int i = 0; i <= 40; ++i)
      for (int j = 0; i + j <= 40; ++j)
        nearest = std::min(nearest, (p - (a * (40 - i - j) + b * i + c * j) / 40).norm());
    EXPECT_LE((p - found.position).norm(), nearest + 1e-12);
    EXPECT_GE((p - found.position).norm(), nearest - 0.1);
  }
}

TEST(Triangle, RayHitsWhereItAims) {
  Random random(6);
  int hits = 0;
  for (int round = 0; round < 1000; ++round) {
    const Vec3 a = random_vector(random), b = random_vector(random), c = random_vector(random);
    const Vec3 origin = 3 * random_vector(random);
    const double u = random.uniform(-0.5, 1.2), v = random.uniform(-0.5, 1.2);
    const Vec3 target = (1 - u - v) * a + u * b + v * c;
    const bool inside = u >= 0 && v >= 0 && u + v <= 1;
    const auto hit = intersect_ray(origin, (target - origin) * 0.5, a, b, c);
    ASSERT_EQ(hit.has_value(), inside) << u << ' ' << v;
    EXPECT_FALSE(intersect_ray(origin, origin - target, a, b, c)) << "behind the origin";
    if (!hit) continue;
    ++hits;
    EXPECT_NEAR(hit->t, 2.0, 1e-8);
    EXPECT_LT((hit->weights - Vec3(1 - u - v, u, v)).norm(), 1e-8);
  }
  EXPECT_GT(hits, 100);
}

TEST(Triangle, RayInThePlaneMisses) {
  EXPECT_FALSE(intersect_ray({-1, 0.2, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}));
}

TEST(Triangle, DihedralAngleHasTheSignOfTheFold) {
  const Vec3 x1(-1, 0.5, 0), x3(0, 0, 0), x4(0, 1, 0);
  for (const double fold : {0.0, 0.3, 1.5, 3.0, -0.3, -1.5, -3.0}) {
    // The wing x2 goes down for positive angles: a ridge seen from +z, where both normals point if flat.
    const Vec3 x2(std::cos(fold), 0.5, -std::sin(fold));
    EXPECT_NEAR(dihedral_angle(x1, x2, x3, x4), fold, 1e-14);
  }
}

}  // namespace
}  // namespace heddle
