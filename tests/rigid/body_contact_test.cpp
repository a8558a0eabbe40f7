#include "test_bodies.h"

#include <gtest/gtest.h>

#include <numbers>

namespace heddle::test {
namespace {

RigidObstacle ground(double friction = 0.5) {
  return {.surface = {.shape = Plane{}}, .touch = {.resting = friction, .sliding = friction}};
}

RigidBody box(double friction = 0.5) {
  return body_of(Box{.size = {0.1, 0.1, 0.1}}, 1, {.resting = friction, .sliding = friction});
}

TEST(BodyContact, StackOfTenBoxesRestsWithoutCreep) {
  Yard yard(std::vector<RigidBody>(10, box()), {ground()});
  for (int k = 0; k < 10; ++k)
    yard.state.bodies[static_cast<size_t>(k)].x = {0.001 * (k % 3), 0.0007 * (k % 2), 0.05 + 0.1 * k};
  yard.run(1);
  const State settled = yard.state;
  yard.run(10);
  double moved = 0, speed = 0;
  for (size_t k = 0; k < 10; ++k) {
    moved = std::max(moved, (yard.state.bodies[k].x - settled.bodies[k].x).norm());
    speed = std::max(speed, yard.state.bodies[k].v.norm());
  }
  EXPECT_LT(moved, 1e-6);
  EXPECT_LT(speed, 1e-8);
  RecordProperty("moved_nm", std::to_string(1e9 * moved));
  EXPECT_NEAR(yard.state.bodies[9].x.z(), 0.95, 1e-3);
}

/// How far a box on a slope goes in a second, m, after it has settled.
double way_down(double degrees, double friction) {
  Yard yard({box(friction)}, {ground(friction)});
  const Quat slope = rotation_from_degrees({0, degrees, 0});
  yard.obstacles[0] = {{slope, Vec3::Zero()}, {slope, Vec3::Zero()}};
  yard.state.bodies[0].rotation = slope;
  yard.state.bodies[0].x = slope * Vec3(0, 0, 0.05);
  yard.run(1);
  return yard.state.bodies[0].x.dot(slope * Vec3::UnitX());
}

TEST(BodyContact, SlidesBeyondTheFrictionAngle) {
  const double friction = 0.4, angle = std::atan(friction) * 180 / std::numbers::pi;
  EXPECT_LT(std::abs(way_down(angle - 0.1, friction)), 1e-8);
  const double steep = angle + 5, radians = steep * std::numbers::pi / 180;
  const double expected = 0.5 * 9.81 * (std::sin(radians) - friction * std::cos(radians));
  EXPECT_NEAR(way_down(steep, friction), expected, 0.01 * expected);
  EXPECT_GT(way_down(angle + 0.1, friction), 1e-3);
}

TEST(BodyContact, CollisionsKeepMomentum) {
  std::vector<RigidBody> bodies{box(), body_of(Sphere{0.05}, 0.3), body_of(Capsule{0.03, 0.1}, 2),
                                body_of(Cylinder{.radius = 0.05, .height = 0.1}, 0.02)};
  for (RigidBody& body : bodies) body.touch.restitution = 0.5;
  Yard yard(std::move(bodies), {}, {}, Vec3::Zero());
  for (int k = 0; k < 4; ++k) {
    BodyState& body = yard.state.bodies[static_cast<size_t>(k)];
    body.x = 0.15 * Vec3(std::cos(1.6 * k), std::sin(1.6 * k), 0.1 * k);
    body.v = -3 * body.x;
    body.angular_momentum = yard.system.angular_momentum({1.0 * k, 2, -1}, body.rotation, k);
  }
  const Vec3 momentum = yard.momentum(), turning = yard.angular_momentum();
  double touched = 0;
  for (int k = 0; k < 400; ++k) {
    yard.step();
    touched += static_cast<double>(yard.state.body_contacts.size());
  }
  EXPECT_GT(touched, 2);
  EXPECT_LT((yard.momentum() - momentum).norm(), 1e-13);
  // What comes out of each other is moved beside all motion, which shifts momenta a little: measured 6e-5.
  EXPECT_LT((yard.angular_momentum() - turning).norm(), 2e-4);
}

TEST(BodyContact, BouncesAsHighAsItShould) {
  Yard yard({body_of(Sphere{0.05}, 0.2, {.restitution = 0.8})}, {ground()});
  yard.dt = 0.001;
  yard.state.bodies[0].x = {0, 0, 1.05};
  yard.run(std::sqrt(2 / 9.81) * 1.8);
  EXPECT_NEAR(yard.state.bodies[0].x.z(), 0.05 + 0.64, 0.01);
}

TEST(BodyContact, BallRollsAfterSliding) {
  // A sliding ball ends with 5/7 of its speed.
  Yard yard({body_of(Sphere{0.05}, 0.2)}, {ground(0.3)});
  yard.state.bodies[0].x = {0, 0, 0.05};
  yard.state.bodies[0].v = {1, 0, 0};
  yard.run(2);
  EXPECT_NEAR(yard.state.bodies[0].v.x(), 5.0 / 7, 1e-3);
  const Vec3 spin = yard.system.angular_velocity(yard.state.bodies[0], 0);
  EXPECT_NEAR(spin.y() * 0.05, 5.0 / 7, 1e-3);
}

TEST(BodyContact, MeshRestsOnPlane) {
  RigidBody body = box();
  body.surface.shape.reset();
  for (int k = 0; k < 8; ++k)
    body.surface.vertices.push_back(0.05 * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
  body.surface.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                            {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  Yard yard({body}, {ground()});
  yard.state.bodies[0].x = {0, 0, 0.06};
  yard.run(2);
  EXPECT_NEAR(yard.state.bodies[0].x.z(), 0.05, 1e-3);
  EXPECT_LT(yard.state.bodies[0].v.norm(), 0.05);
}

TEST(BodyContact, BodiesPressedTogetherStayFinite) {
  Yard yard({box(), box()}, {ground()});
  yard.state.bodies[0].x = {0, 0, 0.05};
  yard.state.bodies[1].x = {0.01, 0, 0.06};
  yard.run(1);
  EXPECT_TRUE(is_finite(yard.state));
  EXPECT_LT(yard.state.bodies[1].x.norm(), 1);
}

}  // namespace
}  // namespace heddle::test
