#include "test_bodies.h"

#include <gtest/gtest.h>

#include <numbers>

namespace heddle::test {
namespace {

RigidBody bar() {
  return body_of(Box{.size = {0.02, 0.02, 0.4}}, 1);
}

TEST(Joint, PendulumSwingsInItsTime) {
  // A bar on a hinge at its upper end: T = 2 pi sqrt(I / (m g l/2)).
  RigidJoint hinge{.kind = JointKind::hinge, .in_first = {.translation = {0, 0, 0.2}}};
  const Quat along_y = rotation_from_degrees({-90, 0, 0});
  hinge.in_first.rotation = hinge.in_second.rotation = along_y;
  Yard yard({bar()}, {}, {hinge});
  yard.dt = 0.001;
  BodyState& body = yard.state.bodies[0];
  body.rotation = rotation_from_degrees({0, 3, 0});
  body.x = body.rotation * Vec3(0, 0, -0.2);
  const double inertia = 1.0 * (0.4 * 0.4 + 0.02 * 0.02) / 12 + 0.2 * 0.2;
  const double period = 2 * std::numbers::pi * std::sqrt(inertia / (9.81 * 0.2));
  const double start = body.x.x();
  yard.run(10 * period);
  EXPECT_NEAR(yard.state.bodies[0].x.x(), start, 0.02 * std::abs(start));
  const Vec3 end = yard.state.bodies[0].x + yard.state.bodies[0].rotation * Vec3(0, 0, 0.2);
  EXPECT_LT(end.norm(), 1e-4);
}

TEST(Joint, HeavyTopPrecesses) {
  // A fast top on a ball joint: about m g l / L.
  const double arm = 0.1;
  RigidBody wheel = body_of(Cylinder{.radius = 0.1, .height = 0.02}, 0.5);
  Yard yard({wheel}, {}, {{.kind = JointKind::ball, .in_first = {.translation = {0, 0, -arm}}}});
  yard.dt = 0.0005;
  BodyState& top = yard.state.bodies[0];
  top.rotation = rotation_from_degrees({0, 90, 0});
  top.x = {arm, 0, 0};
  const double spin = 200, momentum = wheel.inertia.moments[2] * spin;
  const double rate = wheel.mass * 9.81 * arm / momentum;
  top.v = Vec3(0, 0, rate).cross(top.x);
  top.angular_momentum = yard.system.angular_momentum({spin, 0, rate}, top.rotation, 0);
  yard.run(1);
  const double angle = std::atan2(yard.state.bodies[0].x.y(), yard.state.bodies[0].x.x());
  EXPECT_NEAR(std::remainder(angle - rate, 2 * std::numbers::pi), 0, 0.02);
  EXPECT_NEAR(yard.state.bodies[0].x.z(), 0, 0.005);
}

TEST(Joint, MotorFollowsItsKeys) {
  RigidJoint hinge{.kind = JointKind::hinge};
  hinge.motor = JointMotor{.most = 10};
  hinge.motor->place.times = {0, 1};
  hinge.motor->place.values = {0, 2};
  Yard yard({bar()}, {}, {hinge}, Vec3::Zero());
  yard.run(1);
  EXPECT_NEAR(2 * std::atan2(yard.state.bodies[0].rotation.z(), yard.state.bodies[0].rotation.w()), 2, 0.02);
}

TEST(Joint, SliderGoesAlongItsAxisOnly) {
  RigidJoint slider{.kind = JointKind::slider};
  slider.in_first.rotation = slider.in_second.rotation = rotation_from_degrees({0, 45, 0});
  Yard yard({bar()}, {}, {slider});
  yard.run(0.5);
  const Vec3 axis = slider.in_first.rotation * Vec3::UnitZ();
  const Vec3& x = yard.state.bodies[0].x;
  EXPECT_NEAR(x.dot(axis), -0.5 * 9.81 * std::sqrt(0.5) * 0.25, 0.02);
  EXPECT_LT((x - x.dot(axis) * axis).norm(), 1e-5);
  EXPECT_NEAR(std::abs(yard.state.bodies[0].rotation.w()), 1, 1e-6);
}

TEST(Joint, FixedCarriesItsLoad) {
  Yard yard({bar(), bar()}, {},
            {{.kind = JointKind::fixed, .first = 0},
             {.kind = JointKind::fixed, .first = 1, .second = 0, .in_second = {.translation = {0.1, 0, 0}}}});
  yard.state.bodies[1].x = {0.1, 0, 0};
  yard.run(2);
  EXPECT_LT((yard.state.bodies[1].x - Vec3(0.1, 0, 0)).norm(), 1e-4);
  EXPECT_NEAR(yard.state.joint_loads[0].force.z(), 2 * 9.81, 1e-3);
  EXPECT_NEAR(std::abs(yard.state.joint_loads[0].torque.y()), 9.81 * 0.1, 1e-2);
}

TEST(Joint, PairKeepsMomentum) {
  Yard yard({bar(), bar()}, {},
            {{.kind = JointKind::ball,
              .first = 1,
              .second = 0,
              .in_first = {.translation = {0, 0, -0.2}},
              .in_second = {.translation = {0, 0, 0.2}}}},
            Vec3::Zero());
  yard.state.bodies[1].x = {0, 0, 0.4};
  yard.state.bodies[1].v = {1, 0.5, 0};
  const Vec3 momentum = yard.momentum();
  yard.run(2);
  EXPECT_LT((yard.momentum() - momentum).norm(), 1e-12);
  const BodyState &a = yard.state.bodies[0], &b = yard.state.bodies[1];
  EXPECT_LT((a.x + a.rotation * Vec3(0, 0, 0.2) - b.x - b.rotation * Vec3(0, 0, -0.2)).norm(), 1e-3);
}

}  // namespace
}  // namespace heddle::test
