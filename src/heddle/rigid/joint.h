#pragma once

#include <heddle/math/animated.h>
#include <heddle/rigid/contact_rows.h>

#include <optional>
#include <string>

namespace heddle {

enum class JointKind { fixed, ball, hinge, slider };

/// What drives a hinge or a slider: it follows the place as well as its strength allows.
struct JointMotor {
  Animated<double> place;  // rad about the axis, or m along it, from where the joint was made
  double most = 0;         // N m or N
};

/// What connects a body with another one, with an obstacle or with space.
struct RigidJoint {
  std::string name;
  JointKind kind = JointKind::ball;
  int first = 0;
  int second = -1;                     // body; from the number of bodies on obstacle; -1: space
  RigidTransform in_first, in_second;  // the joint in the coordinates of both; its axis is z
  std::optional<JointMotor> motor;
};

/// A side of a joint in a step.
struct JointSide {
  int body = -1;               // -1: moves as told
  RigidTransform joint;        // in space, at the beginning
  Vec3 centre = Vec3::Zero();  // m, of mass, of bodies
  BodyVelocity told;           // of what moves as told, where the joint is
};

/// Adds the rows of a joint for a step from `time` to `time` + `dt` (s); errors of place are mended by the
/// push speeds.
void add_joint_rows(const RigidJoint& joint, int number, const JointSide& first, const JointSide& second,
                    double time, double dt, std::vector<JointRow>& rows);

}  // namespace heddle
