#include <heddle/core/random.h>
#include <heddle/geometry/normal_cone.h>
#include <heddle/geometry/triangle.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace heddle {
namespace {

Vec3 random_point(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

NormalCone cone_of(const Vec3& normal) {
  const Vec3 n = normal.normalized(), u = n.unitOrthogonal();
  return cone_of_triangle({Vec3::Zero(), u, n.cross(u)});
}

double product(const NormalCone& cone, const Vec3& normal) {
  return cone.axis.cast<double>().dot(normal.normalized());
}

TEST(NormalCone, HoldsAllNormalsItWasMergedFrom) {
  Random random(1);
  int closed = 0;
  for (int round = 0; round < 500; ++round) {
    const Vec3 middle = random_point(random);
    const double spread = random.uniform(0, 1.2);
    std::vector<Vec3> normals;
    std::vector<NormalCone> cones;
    for (int i = 0; i < 16; ++i) {
      normals.push_back(middle + spread * middle.norm() * random_point(random));
      cones.push_back(cone_of(normals.back()));
    }
    for (size_t step = 1; step < 16; step *= 2)
      for (size_t i = 0; i + step < 16; i += 2 * step) cones[i] = merged(cones[i], cones[i + step]);
    if (cones[0].open()) continue;
    ++closed;
    for (const Vec3& n : normals) EXPECT_GE(product(cones[0], n), cones[0].cosine - 1e-5);
    EXPECT_NEAR(std::hypot(cones[0].cosine, cones[0].sine), 1.0, 1e-5);
  }
  EXPECT_GT(closed, 100);
}

TEST(NormalCone, OfTwoDirectionsIsHalfTheAngleBetweenThem) {
  for (const double angle : {0.0, 1e-4, 0.1, 1.0, 2.0, 3.0}) {
    const NormalCone both =
        merged(cone_of(Vec3::UnitX()), cone_of(Vec3(std::cos(angle), std::sin(angle), 0)));
    EXPECT_NEAR(std::atan2(both.sine, both.cosine), angle / 2, 1e-6);
  }
}

TEST(NormalCone, OpensWhenNormalsFillAHalfSpace) {
  EXPECT_TRUE(merged(cone_of(Vec3::UnitX()), cone_of(-Vec3::UnitX())).open());
  NormalCone ring = cone_of(Vec3::UnitX());
  for (int i = 1; i < 8; ++i) {
    const double angle = std::numbers::pi * i / 4;
    ring = merged(ring, cone_of(Vec3(std::cos(angle), std::sin(angle), 0)));
  }
  EXPECT_TRUE(ring.open());
  EXPECT_TRUE(merged(ring, cone_of(Vec3::UnitZ())).open());
}

TEST(NormalCone, OfATriangleKnowsItsLowestAltitude) {
  EXPECT_NEAR(cone_of_triangle({Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(0, 4, 0)}).height, 2.4, 1e-6);
  EXPECT_TRUE(cone_of_triangle({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(3, 0, 0)}).open());
  EXPECT_TRUE(cone_of_triangle({Vec3(1, 1, 1), Vec3(1, 1, 1), Vec3(1, 1, 1)}).open());
}

TEST(NormalCone, OfAMovingTriangleHoldsEveryMoment) {
  Random random(7);
  int closed = 0;
  for (int round = 0; round < 500; ++round) {
    std::array<Vec3, 3> begin, end;
    for (size_t i = 0; i < 3; ++i) {
      begin[i] = random_point(random);
      end[i] = begin[i] + 0.5 * random_point(random) + Vec3(0, 0, 5);
    }
    const NormalCone cone = cone_of_moving_triangle(begin, end);
    if (cone.open()) continue;
    ++closed;
    for (int step = 0; step <= 20; ++step) {
      const double t = step / 20.0;
      std::array<Vec3, 3> x;
      for (size_t i = 0; i < 3; ++i) x[i] = (1 - t) * begin[i] + t * end[i];
      EXPECT_GE(product(cone, area_vector_twice(x[0], x[1], x[2])), cone.cosine - 1e-5);
      EXPECT_LE(cone.height, cone_of_triangle(x).height * (1 + 1e-5));
    }
  }
  EXPECT_GT(closed, 100);
}

}  // namespace
}  // namespace heddle
