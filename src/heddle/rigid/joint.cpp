#include <heddle/rigid/joint.h>

#include <cmath>
#include <numbers>

namespace heddle {

namespace {

/// Of an error of place, mended in one step.
constexpr double kMended = 0.2;

Vec3 rotation_vector(const Quat& rotation) {
  const Eigen::AngleAxisd turn(rotation);
  const double angle = std::remainder(turn.angle(), 2 * std::numbers::pi);
  return angle * turn.axis();
}

/// Makes the rows of one joint.
struct RowMaker {
  const RigidJoint& joint;
  int number;
  const JointSide &first, &second;
  double time, dt;
  std::vector<JointRow>& rows;

  JointRow& add(const Vec3& linear, const Vec3& angular, double lack) {
    JointRow& row = rows.emplace_back();
    const Vec3 place = first.joint.translation;
    row.first = first.body;
    row.second = second.body;
    row.arm_first = place - first.centre;
    row.arm_second =
        joint.kind == JointKind::slider ? place - second.centre : second.joint.translation - second.centre;
    row.joint = number;
    row.linear = linear;
    row.angular = angular;
    row.push = kMended * lack / dt;
    if (second.body < 0) {
      const Vec3 arm =
          joint.kind == JointKind::slider ? Vec3(place - second.joint.translation) : Vec3::Zero();
      row.speed = linear.dot(second.told.at(arm)) + angular.dot(second.told.angular);
    }
    return row;
  }

  void hold_place(const Vec3& direction) {
    add(direction, Vec3::Zero(), direction.dot(second.joint.translation - first.joint.translation));
  }
  void hold_turn(const Vec3& direction, const Vec3& lack) {
    add(Vec3::Zero(), direction, direction.dot(lack));
  }

  void hold_all_turns() {
    const Vec3 lack = rotation_vector(second.joint.rotation * first.joint.rotation.conjugate());
    for (int k = 0; k < 3; ++k) hold_turn(Vec3::Unit(k), lack);
  }
  void hold_axis() {
    const Vec3 axis = second.joint.direction(Vec3::UnitZ());
    const Vec3 lack = first.joint.direction(Vec3::UnitZ()).cross(axis);
    for (const Vec3& own : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY())})
      hold_turn(second.joint.direction(own), lack);
  }

  /// Where the joint is, rad or m.
  double place() const {
    if (joint.kind == JointKind::slider) return second.joint.point_to_local(first.joint.translation).z();
    const Vec3 x = second.joint.direction_to_local(first.joint.direction(Vec3::UnitX()));
    return std::atan2(x.y(), x.x());
  }
  void drive(const JointMotor& motor) {
    const bool turns = joint.kind == JointKind::hinge;
    const Vec3 axis = second.joint.direction(Vec3::UnitZ());
    JointRow& row = turns ? add(Vec3::Zero(), axis, 0) : add(axis, Vec3::Zero(), 0);
    const double now = motor.place.at(time), next = motor.place.at(time + dt);
    double lack = now - place();
    if (turns) lack = std::remainder(lack, 2 * std::numbers::pi);
    row.speed += (next - now + kMended * lack) / dt;
    row.most = motor.most * dt;
  }
};

}  // namespace

void add_joint_rows(const RigidJoint& joint, int number, const JointSide& first, const JointSide& second,
                    double time, double dt, std::vector<JointRow>& rows) {
  RowMaker make{joint, number, first, second, time, dt, rows};
  if (joint.kind == JointKind::slider) {
    make.hold_place(second.joint.direction(Vec3::UnitX()));
    make.hold_place(second.joint.direction(Vec3::UnitY()));
  } else {
    for (int k = 0; k < 3; ++k) make.hold_place(Vec3::Unit(k));
  }
  if (joint.kind == JointKind::fixed || joint.kind == JointKind::slider) make.hold_all_turns();
  if (joint.kind == JointKind::hinge) make.hold_axis();
  if (joint.motor && (joint.kind == JointKind::hinge || joint.kind == JointKind::slider))
    make.drive(*joint.motor);
}

}  // namespace heddle
