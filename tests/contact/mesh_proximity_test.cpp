#include <heddle/contact/mesh_proximity.h>

#include <heddle/geometry/proximity.h>

#include <gtest/gtest.h>

#include <random>

namespace heddle {
namespace {

/// A level square of side 2 m that rises by 1 m/s.
std::shared_ptr<MovingSurface> rising_square() {
  auto surface = std::make_shared<MovingSurface>();
  surface->vertices = {Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(1, 1, 0), Vec3(-1, 1, 0)};
  surface->triangles = {{0, 1, 2}, {0, 2, 3}};
  surface->motion.translation.times = {0, 1};
  surface->motion.translation.values = {Vec3(0, 0, 0), Vec3(0, 0, 1)};
  return surface;
}

TEST(MeshProximity, HoldsOnTheSideWhereThePointIs) {
  MeshProximity mesh(rising_square(), 0.1);
  mesh.update(0, 0.01);
  for (const double side : {1.0, -1.0}) {
    const auto near = mesh.nearest(Vec3(0.3, 0.1, 0.05 * side));
    ASSERT_TRUE(near);
    EXPECT_NEAR(near->distance, 0.05, 1e-15);
    EXPECT_LT((near->normal - Vec3(0, 0, side)).norm(), 1e-15);
    EXPECT_LT((near->velocity - Vec3(0, 0, 1)).norm(), 1e-12);
  }
  EXPECT_FALSE(mesh.nearest(Vec3(0.3, 0.1, 0.11)));
  EXPECT_FALSE(mesh.nearest(Vec3(1.2, 0, 0)));
}

TEST(MeshProximity, BesideTheBorderTheNormalLeadsToThePoint) {
  MeshProximity mesh(rising_square(), 0.1);
  mesh.update(0, 0.01);
  const auto near = mesh.nearest(Vec3(1.03, 0.2, 0.04));
  ASSERT_TRUE(near);
  EXPECT_NEAR(near->distance, 0.05, 1e-15);
  EXPECT_LT((near->normal - Vec3(0.6, 0, 0.8)).norm(), 1e-12);
}

TEST(MeshProximity, TheNormalTurnsWithTheFace) {
  auto surface = rising_square();
  surface->motion = {};
  surface->motion.rotation.times = {0, 1};
  surface->motion.rotation.values = {Vec3(0, 0, 0), Vec3(90, 0, 0)};
  MeshProximity mesh(surface, 0.1);
  mesh.update(0, 1);
  const auto near = mesh.nearest(Vec3(0.3, 0.1, -0.05));
  ASSERT_TRUE(near);
  EXPECT_LT((near->normal - Vec3(0, 1, 0)).norm(), 1e-12);
}

/// Against a search through all triangles, of which some are two thousand times as large as others.
TEST(MeshProximity, FindsTheNearestOfMany) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto point = [&] { return Vec3(number(random), number(random), number(random)); };
  auto surface = std::make_shared<MovingSurface>();
  for (int i = 0; i < 300; ++i) {
    const Vec3 centre = point();
    const double size = i % 100 == 0 ? 200 : 0.1;
    for (int k = 0; k < 3; ++k) surface->vertices.push_back(centre + size * point());
    surface->triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  constexpr double kReach = 0.2;
  MeshProximity mesh(surface, kReach);
  mesh.update(0, 0.01);
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 x = 1.2 * point();
    double distance = kReach;
    for (const Triangle& t : surface->triangles) {
      const auto corner = [&](size_t k) { return surface->vertices[static_cast<size_t>(t[k])]; };
      distance = std::min(distance, vertex_triangle_proximity({x, corner(0), corner(1), corner(2)}).distance);
    }
    const auto near = mesh.nearest(x);
    ASSERT_EQ(near.has_value(), distance < kReach);
    if (near) {
      EXPECT_EQ(near->distance, distance);
    }
    found += near.has_value();
  }
  EXPECT_GT(found, 200);
}

}  // namespace
}  // namespace heddle
