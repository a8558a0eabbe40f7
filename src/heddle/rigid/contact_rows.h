#pragma once

#include <heddle/math/rigid_transform.h>
#include <heddle/rigid/body_collider.h>

#include <limits>
#include <span>
#include <vector>

namespace heddle {

/// How a body moves.
struct BodyVelocity {
  Vec3 v = Vec3::Zero();        // m/s, of the centre of mass
  Vec3 angular = Vec3::Zero();  // rad/s

  Vec3 at(const Vec3& arm) const { return v + angular.cross(arm); }
};

/// How a body resists impulses, in space.
struct BodyInertia {
  Vec3 centre = Vec3::Zero();   // m
  double inverse_mass = 0;      // 1/kg
  Mat3 inverse = Mat3::Zero();  // 1/(kg m2)

  void push(const Vec3& impulse, const Vec3& arm, BodyVelocity& velocity) const {
    velocity.v += inverse_mass * impulse;
    velocity.angular += inverse * arm.cross(impulse);
  }
  /// Velocity by impulse at a point of the body, 1/kg.
  Mat3 compliance(const Vec3& arm) const;
};

/// Two sides of which one or both are bodies.
struct BodyPair {
  int first = 0;
  int second = -1;                    // -1: what moves as told
  Vec3 arm_first = Vec3::Zero();      // m, from the centre
  Vec3 arm_second = Vec3::Zero();     // the same
  Vec3 told_velocity = Vec3::Zero();  // m/s, of the second where it moves as told
};

/// A point of contact: the normal speed must be at least `least`, friction stays within Coulomb's cone.
struct ContactRow : BodyPair {
  Mat3 axes = Mat3::Identity();  // columns: the normal, from the second to the first, and two across it
  double resting = 0, sliding = 0;
  double least = 0;             // m/s
  double push = 0;              // m/s, with which what is too deep comes out, beside all motion
  double normal_mass = 0;       // kg
  double tangent_mass = 0;      // kg, of the direction that gives way most
  Vec3 impulse = Vec3::Zero();  // N s, along the axes
  double push_impulse = 0;      // N s
};

/// One direction that a joint holds: linear . (relative velocity at the arms) + angular . (relative angular
/// velocity) must be `speed`.
struct JointRow : BodyPair {
  int joint = 0;
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  double speed = 0;                                       // m/s or rad/s
  double push = 0;                                        // the same, beside all motion
  double most = std::numeric_limits<double>::infinity();  // N s or N m s
  double mass = 0;                                        // kg or kg m2
  double impulse = 0;                                     // N s or N m s
  double push_impulse = 0;
};

/// What the pair would need at the contact point, filled with inertia.
void prepare(ContactRow& row, std::span<const BodyInertia> bodies);
void prepare(JointRow& row, std::span<const BodyInertia> bodies);

}  // namespace heddle
