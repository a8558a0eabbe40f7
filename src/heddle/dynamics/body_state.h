#pragma once

#include <heddle/math/rigid_transform.h>

namespace heddle {

/// Where a rigid body is and how it moves. The angular momentum is kept instead of the angular velocity,
/// because it does not change in free flight.
struct BodyState {
  Vec3 x = Vec3::Zero();  // m, of the centre of mass
  Quat rotation = Quat::Identity();
  Vec3 v = Vec3::Zero();                 // m/s, of the centre of mass
  Vec3 angular_momentum = Vec3::Zero();  // kg m2/s, about the centre of mass
};

/// A point where two bodies, or a body and an obstacle, pressed on each other at the end of the last step:
/// the solver of the next one starts with it.
struct BodyContact {
  int first = 0;              // body
  int second = 0;             // body; or, from the number of bodies on, obstacle
  Vec3 place = Vec3::Zero();  // m, from the centre of the first body in its axes
  Vec3 force = Vec3::Zero();  // N, on the first body
};

/// What a joint carried in the last step.
struct JointLoad {
  Vec3 force = Vec3::Zero();   // N
  Vec3 torque = Vec3::Zero();  // N m
};

/// A body during one step, as particles see it. All in space.
struct BodyMotion {
  RigidTransform begin, end;            // of its own coordinates, as foreseen
  Vec3 centre = Vec3::Zero();           // m, of mass, at the beginning
  Vec3 v = Vec3::Zero();                // m/s, as foreseen, without what particles do to it in this step
  Vec3 angular_v = Vec3::Zero();        // rad/s, the same
  double inverse_mass = 0;              // 1/kg
  Mat3 inverse_inertia = Mat3::Zero();  // 1/(kg m2)

  Vec3 velocity_at(const Vec3& place) const { return v + angular_v.cross(place - centre); }
};

/// What something gives to a body within a step, about its centre of mass at the beginning.
struct BodyImpulse {
  Vec3 linear = Vec3::Zero();   // N s
  Vec3 angular = Vec3::Zero();  // N m s

  bool is_zero() const { return linear.isZero(0) && angular.isZero(0); }
};

}  // namespace heddle
