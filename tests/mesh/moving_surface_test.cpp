#include <heddle/mesh/carried_point.h>
#include <heddle/mesh/winding_number.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// A triangle whose last corner rises from 0 to 1 m between 1 s and 2 s, and goes on to x = 3 m until 3 s.
MovingSurface rising_triangle() {
  MovingSurface surface;
  surface.triangles = {{0, 1, 2}};
  surface.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  surface.samples.start = 1;
  surface.samples.interval = 1;
  const Vec3f a(0, 0, 0), b(1, 0, 0);
  surface.samples.positions = {a, b, Vec3f(0, 1, 0), a, b, Vec3f(0, 1, 1), a, b, Vec3f(3, 1, 1)};
  return surface;
}

TEST(MovingSurface, MovesStraightFromSampleToSampleAndRestsOutside) {
  const MovingSurface surface = rising_triangle();
  EXPECT_TRUE(surface.deforms());
  EXPECT_EQ(surface.sample_count(), 3);
  const auto corner = [&](double time) { return surface.positions(time)[2]; };
  EXPECT_EQ(corner(-5), Vec3(0, 1, 0));
  EXPECT_EQ(corner(1), Vec3(0, 1, 0));
  EXPECT_EQ(corner(1.25), Vec3(0, 1, 0.25));
  EXPECT_EQ(corner(2), Vec3(0, 1, 1));
  EXPECT_EQ(corner(2.5), Vec3(1.5, 1, 1));
  EXPECT_EQ(corner(3), Vec3(3, 1, 1));
  EXPECT_EQ(corner(100), Vec3(3, 1, 1));
  EXPECT_EQ(surface.positions(std::array{2, 0}, 1.25), (std::array{Vec3(0, 1, 0.25), Vec3(0, 0, 0)}));
}

TEST(MovingSurface, TheMotionMovesTheSamples) {
  MovingSurface surface = rising_triangle();
  surface.motion.translation = Animated<Vec3>(Vec3(0, 0, 10));
  surface.motion.rotation = Animated<Vec3>(Vec3(0, 0, 90));
  EXPECT_LT((surface.positions(1.5)[2] - Vec3(-1, 0, 10.5)).norm(), 1e-12);
}

TEST(MovingSurface, RigidWithoutSamples) {
  MovingSurface surface = rising_triangle();
  surface.samples = {};
  EXPECT_FALSE(surface.deforms());
  EXPECT_EQ(surface.positions(2)[2], Vec3(0, 1, 0));
}

TEST(CarriedPoint, StartsAtItsPlaceAndTurnsWithTheTriangle) {
  MovingSurface surface = rising_triangle();
  // The triangle turns about x by 90 degrees.
  surface.samples.positions = {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 1, 0),
                               Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 0, 1)};
  const std::vector<Vec3> places{Vec3(0.2, 0.3, 0.1), Vec3(-1, -1, 0)};
  const std::vector<CarriedPoint> points = carried_points(surface, places, 0);
  for (size_t i = 0; i < places.size(); ++i) EXPECT_LT((points[i].at(surface, 0) - places[i]).norm(), 1e-12);
  EXPECT_LT((points[0].at(surface, 2) - Vec3(0.2, -0.1, 0.3)).norm(), 1e-6);
}

TEST(WindingNumber, OneInsideAClosedSurfaceWhicheverWayItLooks) {
  const std::vector<Vec3> x{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  const std::vector<Triangle> out{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
      in{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  const Vec3 inside(0.1, 0.1, 0.1), outside(1, 1, 1);
  EXPECT_NEAR(winding_number(inside, x, out), 1, 1e-12);
  EXPECT_NEAR(winding_number(inside, x, in), -1, 1e-12);
  EXPECT_NEAR(winding_number(outside, x, out), 0, 1e-12);
  // Without its largest face it is no longer closed.
  EXPECT_LT(winding_number(inside, x, std::span(out).first(3)), 0.95);
}

}  // namespace
}  // namespace heddle
