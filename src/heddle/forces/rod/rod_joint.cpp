#include <heddle/forces/rod/rod_joint.h>

#include <heddle/core/check.h>
#include <heddle/forces/rod/local_system.h>
#include <heddle/forces/rod/rod_segment.h>

#include <optional>

namespace heddle {

namespace {

using namespace rod;

constexpr int kVariables = 8;  // both edges, both angles

size_t at(int i) {
  return static_cast<size_t>(i);
}

template <class S>
using Variables = std::array<S, kVariables>;

/// The frames of both segments at the end of the last step.
struct LastFrames {
  /// Of the second frame, taken back.
  struct Offset {
    Turn<double> turn;
    Mat3 to_second;  // from the axes after it to those of the second
  };

  Mat3 first, second;
  Turn<double> between;          // from the first to the second
  std::optional<Offset> offset;  // of sharp joints
};

LastFrames last_frames(const RodJoint& joint, std::span<const Quat> frames) {
  HEDDLE_CHECK(frames.size() > at(std::max(joint.segments[0], joint.segments[1])));
  const Quat &a = frames[at(joint.segments[0])], &b = frames[at(joint.segments[1])];
  LastFrames last{a.toRotationMatrix(), b.toRotationMatrix(), turn_of(a.conjugate() * b), std::nullopt};
  if (joint.is_sharp())
    last.offset = {turn_of(joint.offset.conjugate()), joint.offset.conjugate().toRotationMatrix()};
  return last;
}

template <class S>
struct JointNow {
  SegmentNow<S> first, second;
  RotationVector<S> rotation;  // from the first frame to the second
};

template <class S>
JointNow<S> joint_now(const LastFrames& last, const Variables<S>& y) {
  JointNow<S> now;
  now.first = segment_now(times(last.first.transpose(), Triple<S>{y[0], y[1], y[2]}), y[6]);
  now.second = segment_now(times(last.second.transpose(), Triple<S>{y[3], y[4], y[5]}), y[7]);
  Turn<S> between = product(inverse(now.first.turn), product(last.between, now.second.turn));
  if (last.offset) between = product(between, last.offset->turn);
  now.rotation = rotation_vector(between);
  return now;
}

/// N m, that the joint resists its strain with.
template <class S>
Triple<S> moment_of(const RodJoint& joint, const JointNow<S>& now) {
  Triple<S> moment;
  for (size_t k = 0; k < 3; ++k)
    moment[k] = (joint.stiffness[static_cast<int>(k)] / joint.length) *
                (now.rotation.vector[k] - joint.rest[static_cast<int>(k)]);
  return moment;
}

/// Forces on the variables if the joint pulls with a moment.
template <class S>
Variables<S> forces_of(const LastFrames& last, const JointNow<S>& now, const Triple<S>& moment) {
  const Triple<S> on_first = inverse_jacobian(now.rotation, moment, false);
  Triple<S> on_second = scaled(-1.0, inverse_jacobian(now.rotation, moment, true));
  if (last.offset) on_second = times(last.offset->to_second, on_second);
  const Triple<S> a = times(last.first, force_on_edge(now.first, on_first)),
                  b = times(last.second, force_on_edge(now.second, on_second));
  return {a[0], a[1], a[2], b[0], b[1], b[2], on_first[2], on_second[2]};
}

Variables<double> variables_of(const std::array<double, 2>& sign, const std::array<Vec3, 5>& x) {
  const Vec3 a = sign[0] * (x[1] - x[0]), b = sign[1] * (x[2] - x[1]);
  return {a[0], a[1], a[2], b[0], b[1], b[2], x[3][0], x[4][0]};
}

/// Rate of the rotation vector, rad/s: what forces_of() is minus the transpose of.
Triple<double> rate_of(const LastFrames& last, const JointNow<double>& now, const Variables<double>& rates) {
  const Triple<double> a = times(last.first.transpose(), Triple<double>{rates[0], rates[1], rates[2]}),
                       b = times(last.second.transpose(), Triple<double>{rates[3], rates[4], rates[5]});
  const Triple<double> first = angular_velocity(now.first, a, rates[6]);
  Triple<double> second = angular_velocity(now.second, b, rates[7]);
  if (last.offset) second = times(last.offset->to_second.transpose(), second);
  return plus(inverse_jacobian(now.rotation, second, false), -1.0,
              inverse_jacobian(now.rotation, first, true));
}

Eigen::Matrix<double, kVariables, 15> by_nodes(const std::array<double, 2>& sign) {
  Eigen::Matrix<double, kVariables, 15> out = Eigen::Matrix<double, kVariables, 15>::Zero();
  out.block<3, 3>(0, 0).diagonal().setConstant(-sign[0]);
  out.block<3, 3>(0, 3).diagonal().setConstant(sign[0]);
  out.block<3, 3>(3, 3).diagonal().setConstant(-sign[1]);
  out.block<3, 3>(3, 6).diagonal().setConstant(sign[1]);
  out(6, 9) = out(7, 12) = 1;
  return out;
}

}  // namespace

void RodJointKernel::add(const Nodes& at_nodes, const std::array<bool, 2>& forward, const RodJoint& joint) {
  HEDDLE_CHECK_GT(joint.length, 0.0);
  nodes.push_back(at_nodes);
  elements_.push_back({joint, {forward[0] ? 1.0 : -1.0, forward[1] ? 1.0 : -1.0}});
}

Vec3 RodJointKernel::strain(int element, const ElementState<5>& q) const {
  const Element& e = elements_[at(element)];
  const auto rho = joint_now(last_frames(e.joint, q.frames), variables_of(e.sign, q.x)).rotation.vector;
  return {rho[0], rho[1], rho[2]};
}

double RodJointKernel::energy(int element, const ElementState<5>& q) const {
  const RodJoint& joint = elements_[at(element)].joint;
  const Vec3 bent = strain(element, q) - joint.rest;
  return 0.5 / joint.length * joint.stiffness.dot(bent.cwiseAbs2());
}

void RodJointKernel::force(int element, const ElementState<5>& q, std::array<Vec3, 5>& force) const {
  const Element& e = elements_[at(element)];
  const LastFrames last = last_frames(e.joint, q.frames);
  const Variables<double> y = variables_of(e.sign, q.x);
  const JointNow<double> now = joint_now(last, y);
  Triple<double> moment = moment_of(e.joint, now);
  if (e.joint.damping > 0)
    moment = plus(moment, e.joint.damping / e.joint.length, rate_of(last, now, variables_of(e.sign, q.v)));
  const Variables<double> f = forces_of(last, now, moment);
  const Vec3 a = e.sign[0] * Vec3(f[0], f[1], f[2]), b = e.sign[1] * Vec3(f[3], f[4], f[5]);
  force = {-a, a - b, b, Vec3(f[6], 0, 0), Vec3(f[7], 0, 0)};
}

void RodJointKernel::linearise(int element, const ElementState<5>& q, const ElementScales& scales,
                               ElementSystem<5>& out) const {
  const Element& e = elements_[at(element)];
  const LastFrames last = last_frames(e.joint, q.frames);
  const Variables<double> y = variables_of(e.sign, q.x), rates = variables_of(e.sign, q.v);
  Variables<Dual<kVariables>> dual;
  for (int i = 0; i < kVariables; ++i) dual[at(i)] = Dual<kVariables>::variable(y[at(i)], i);
  const JointNow<Dual<kVariables>> now = joint_now(last, dual);
  LocalSystem<kVariables> local;
  take_forces<kVariables>(forces_of(last, now, moment_of(e.joint, now)), local);
  Eigen::Matrix<double, 3, kVariables> by_variables;  // of the rotation vector
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < kVariables; ++i) by_variables(k, i) = now.rotation.vector[at(k)].slope[at(i)];
  local.damping = (e.joint.damping / e.joint.length) * by_variables.transpose() * by_variables;
  local.force -= local.damping * Eigen::Map<const LocalSystem<kVariables>::Vector>(rates.data());
  set_system<kVariables, 5>(by_nodes(e.sign), local, q, scales, out);
}

}  // namespace heddle
