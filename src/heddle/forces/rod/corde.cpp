#include <heddle/forces/rod/corde.h>

#include <heddle/core/check.h>
#include <heddle/forces/rod/local_system.h>
#include <heddle/forces/rod/turning_math.h>

#include <cmath>

namespace heddle {

namespace {

using namespace rod;

constexpr int kVariables = 6;  // of both kinds of elements
template <class S>
using Variables = std::array<S, kVariables>;

size_t at(int i) {
  return static_cast<size_t>(i);
}

template <class S>
Triple<S> first_of(const Variables<S>& y) {
  return {y[0], y[1], y[2]};
}

template <class S>
Triple<S> second_of(const Variables<S>& y) {
  return {y[3], y[4], y[5]};
}

template <class S>
Turn<S> turn_by(const Triple<S>& w) {
  using std::sqrt;
  const S n = 1.0 / sqrt(1.0 + 0.25 * dot(w, w));
  return {0.5 * n * w[0], 0.5 * n * w[1], 0.5 * n * w[2], n};
}

/// a turned by q.
template <class S>
Triple<S> turned(const Turn<S>& q, const Triple<S>& a) {
  const Triple<S> v{q[0], q[1], q[2]};
  const Triple<S> first = scaled(2.0, cross(v, a));
  return plus(plus(a, q[3], first), S(1.0), cross(v, first));
}

/// The force on w of a moment in the axes of the frame: omega = (w' - w x w'/2) / (1 + w^2/4).
template <class S>
Triple<S> force_on_turn(const Triple<S>& w, const Triple<S>& moment) {
  const S n = 1.0 / (1.0 + 0.25 * dot(w, w));
  return scaled(n, plus(moment, 0.5, cross(w, moment)));
}

/// The angular velocity of the frame, in its axes.
Triple<double> spin_of(const Triple<double>& w, const Triple<double>& rate) {
  const double n = 1 / (1 + 0.25 * dot(w, w));
  return scaled(n, plus(rate, -0.5, cross(w, rate)));
}

/// Explicit steps ask for forces where nothing has turned yet.
bool is_zero(const Triple<double>& w) {
  return w[0] == 0 && w[1] == 0 && w[2] == 0;
}

/// omega = T w'.
Mat3 rate_matrix(const Triple<double>& w) {
  const double n = 1 / (1 + 0.25 * dot(w, w));
  const double a = 0.5 * w[0], b = 0.5 * w[1], c = 0.5 * w[2];
  return n * Mat3{{1, c, -b}, {-c, 1, a}, {b, -a, 1}};
}

Variables<double> together(const Vec3& a, const Vec3& b) {
  return {a[0], a[1], a[2], b[0], b[1], b[2]};
}

Variables<Dual<kVariables>> duals_of(const Variables<double>& y) {
  Variables<Dual<kVariables>> dual;
  for (int i = 0; i < kVariables; ++i) dual[at(i)] = Dual<kVariables>::variable(y[at(i)], i);
  return dual;
}

Turn<double> between_last(const RodJoint& joint, std::span<const Quat> frames) {
  HEDDLE_CHECK(frames.size() > at(std::max(joint.segments[0], joint.segments[1])));
  return turn_of(frames[at(joint.segments[0])].conjugate() * frames[at(joint.segments[1])]);
}

/// The same rotation on the side where both frames are near each other.
template <class S>
Turn<S> near_side(const Turn<S>& p) {
  return value_of(p[3]) < 0 ? Turn<S>{-p[0], -p[1], -p[2], -p[3]} : p;
}

/// From the first frame to the second one.
template <class S>
Turn<S> relative_turn(const Turn<double>& between, const Variables<S>& y) {
  return near_side(product(inverse(turn_by(first_of(y))), product(between, turn_by(second_of(y)))));
}

/// After the offset of the second frame.
template <class S>
Turn<S> strain_turn(const Turn<S>& relative, const RodJoint& joint) {
  return joint.is_sharp() ? near_side(product(relative, turn_of(joint.offset.conjugate()))) : relative;
}

/// N m, each in the axes of its frame.
template <class S>
struct Moments {
  Triple<S> first, second;
};

template <class S>
Moments<S> moments_of(const RodJoint& joint, const Turn<S>& relative) {
  const Turn<S> p = strain_turn(relative, joint);
  const Triple<S> v{p[0], p[1], p[2]};
  const double inverse = 1 / joint.length;
  Triple<S> m;
  for (int k = 0; k < 3; ++k) m[at(k)] = (joint.stiffness[k] * inverse) * (2.0 * v[at(k)] - joint.rest[k]);
  const Triple<S> straight = scaled(p[3], m), sideways = cross(v, m);
  const Triple<S> back = plus(sideways, -1.0, straight);
  return {plus(straight, 1.0, sideways),
          joint.is_sharp() ? times(joint.offset.conjugate().toRotationMatrix(), back) : back};
}

template <class S>
Variables<S> joint_forces(const Turn<double>& between, const RodJoint& joint, const Variables<S>& y) {
  const Moments<S> m = moments_of(joint, relative_turn(between, y));
  const Triple<S> a = force_on_turn(first_of(y), m.first), b = force_on_turn(second_of(y), m.second);
  return {a[0], a[1], a[2], b[0], b[1], b[2]};
}

/// Friction of the frames against each other, by their angular velocities in their own axes.
void add_friction(const RodJoint& joint, const Turn<double>& relative, const Moments<double>& spins,
                  Moments<double>& moments) {
  const Triple<double> between = plus(turned(relative, spins.second), -1.0, spins.first);
  const Triple<double> friction = scaled(joint.damping / joint.length, between);
  moments.first = plus(moments.first, 1.0, friction);
  moments.second = plus(moments.second, -1.0, turned(inverse(relative), friction));
}

/// The angular velocity of the second frame relative to the first one, in its axes, by the rates of both w.
Eigen::Matrix<double, 3, 6> relative_rate(const Turn<double>& between, const Variables<double>& y) {
  const Mat3 turn = quat_of(relative_turn(between, y)).toRotationMatrix();
  Eigen::Matrix<double, 3, 6> out;
  out << -rate_matrix(first_of(y)), turn * rate_matrix(second_of(y));
  return out;
}

Eigen::Map<const Eigen::Matrix<double, kVariables, 1>> vector_of(const Variables<double>& y) {
  return Eigen::Map<const Eigen::Matrix<double, kVariables, 1>>(y.data());
}

/// penalty_forces() of a frame that has not turned since the last step.
Variables<double> still_penalty_forces(const Mat3& axes, double strength, const Triple<double>& edge) {
  const double inverse_length = 1 / std::sqrt(dot(edge, edge));
  const Triple<double> t = scaled(inverse_length, edge);
  const Triple<double> d3{axes(0, 2), axes(1, 2), axes(2, 2)};
  const Triple<double> pull = scaled(strength * inverse_length, plus(d3, -dot(d3, t), t));
  const double t0 = axes(0, 0) * t[0] + axes(1, 0) * t[1] + axes(2, 0) * t[2];
  const double t1 = axes(0, 1) * t[0] + axes(1, 1) * t[1] + axes(2, 1) * t[2];
  return {pull[0], pull[1], pull[2], -strength * t1, strength * t0, 0};
}

/// `edge` in the axes of the last frame, which has these as columns.
template <class S>
Variables<S> penalty_forces(const Mat3& axes, double strength, const Variables<S>& y) {
  using std::sqrt;
  const Triple<S> edge = times(axes.transpose(), first_of(y)), w = second_of(y);
  const S inverse_length = 1.0 / sqrt(dot(edge, edge));
  const Triple<S> t = scaled(inverse_length, edge);
  const Turn<S> c = turn_by(w);
  const Triple<S> s = turned(inverse(c), t), d3 = turned(c, Triple<S>{S(0.0), S(0.0), S(1.0)});
  const Triple<S> pull = times(axes, scaled(strength * inverse_length, plus(d3, -s[2], t)));
  const Triple<S> twist = force_on_turn(w, Triple<S>{-strength * s[1], strength * s[0], S(0.0)});
  return {pull[0], pull[1], pull[2], twist[0], twist[1], twist[2]};
}

}  // namespace

void CordeJointKernel::add(const Nodes& turning, const RodJoint& joint, const Vec3& unscale) {
  HEDDLE_CHECK_GT(joint.length, 0.0);
  nodes.push_back(turning);
  elements_.push_back({joint, unscale});
}

double CordeJointKernel::energy(int element, const ElementState<2>& q) const {
  const auto& [joint, unscale] = elements_[at(element)];
  const Variables<double> y = together(unscale.cwiseProduct(q.x[0]), unscale.cwiseProduct(q.x[1]));
  const Turn<double> p = strain_turn(relative_turn(between_last(joint, q.frames), y), joint);
  const Vec3 bent = 2 * Vec3(p[0], p[1], p[2]) - joint.rest;
  return 0.5 / joint.length * joint.stiffness.dot(bent.cwiseAbs2());
}

void CordeJointKernel::force(int element, const ElementState<2>& q, std::array<Vec3, 2>& force) const {
  const auto& [joint, unscale] = elements_[at(element)];
  const Variables<double> y = together(unscale.cwiseProduct(q.x[0]), unscale.cwiseProduct(q.x[1]));
  const Turn<double> between = between_last(joint, q.frames);
  const Triple<double> first = first_of(y), second = second_of(y);
  const bool is_still = is_zero(first) && is_zero(second);
  const Turn<double> relative = is_still ? near_side(between) : relative_turn(between, y);
  Moments<double> m = moments_of(joint, relative);
  if (joint.damping > 0) {
    Moments<double> spins{triple_of(unscale.cwiseProduct(q.v[0])), triple_of(unscale.cwiseProduct(q.v[1]))};
    if (!is_still) spins = {spin_of(first, spins.first), spin_of(second, spins.second)};
    add_friction(joint, relative, spins, m);
  }
  if (!is_still) m = {force_on_turn(first, m.first), force_on_turn(second, m.second)};
  force = {unscale.cwiseProduct(Vec3(m.first[0], m.first[1], m.first[2])),
           unscale.cwiseProduct(Vec3(m.second[0], m.second[1], m.second[2]))};
}

void CordeJointKernel::linearise(int element, const ElementState<2>& q, const ElementScales& scales,
                                 ElementSystem<2>& out) const {
  const auto& [joint, unscale] = elements_[at(element)];
  const Variables<double> y = together(unscale.cwiseProduct(q.x[0]), unscale.cwiseProduct(q.x[1])),
                          rates = together(unscale.cwiseProduct(q.v[0]), unscale.cwiseProduct(q.v[1]));
  const Turn<double> between = between_last(joint, q.frames);
  LocalSystem<kVariables> local;
  take_forces<kVariables>(joint_forces(between, joint, duals_of(y)), local);
  const Eigen::Matrix<double, 3, 6> by_rates = relative_rate(between, y);
  local.damping = (joint.damping / joint.length) * by_rates.transpose() * by_rates;
  local.force -= local.damping * vector_of(rates);
  Eigen::Matrix<double, 6, 6> by_nodes = Eigen::Matrix<double, 6, 6>::Zero();
  by_nodes.diagonal() << unscale, unscale;
  set_system<kVariables, 2>(by_nodes, local, q, scales, out);
}

void CordePenaltyKernel::add(const Nodes& at_nodes, int segment, double strength, const Vec3& unscale) {
  nodes.push_back(at_nodes);
  elements_.push_back({segment, strength, unscale});
}

double CordePenaltyKernel::energy(int element, const ElementState<3>& q) const {
  const Element& e = elements_[at(element)];
  const Vec3 w = e.unscale.cwiseProduct(q.x[2]);
  const Quat frame = q.frames[at(e.segment)] * quat_of(turn_by(triple_of(w)));
  return 0.5 * e.strength * ((q.x[1] - q.x[0]).normalized() - frame * Vec3::UnitZ()).squaredNorm();
}

void CordePenaltyKernel::force(int element, const ElementState<3>& q, std::array<Vec3, 3>& force) const {
  const Element& e = elements_[at(element)];
  const Variables<double> y = together(q.x[1] - q.x[0], e.unscale.cwiseProduct(q.x[2]));
  const Mat3 axes = q.frames[at(e.segment)].toRotationMatrix();
  const auto f = is_zero(second_of(y)) ? still_penalty_forces(axes, e.strength, first_of(y))
                                       : penalty_forces(axes, e.strength, y);
  const Vec3 pull(f[0], f[1], f[2]);
  force = {-pull, pull, e.unscale.cwiseProduct(Vec3(f[3], f[4], f[5]))};
}

void CordePenaltyKernel::linearise(int element, const ElementState<3>& q, const ElementScales& scales,
                                   ElementSystem<3>& out) const {
  const Element& e = elements_[at(element)];
  const Variables<double> y = together(q.x[1] - q.x[0], e.unscale.cwiseProduct(q.x[2]));
  LocalSystem<kVariables> local;
  local.damping.setZero();
  take_forces<kVariables>(penalty_forces(q.frames[at(e.segment)].toRotationMatrix(), e.strength, duals_of(y)),
                          local);
  Eigen::Matrix<double, 6, 9> by_nodes = Eigen::Matrix<double, 6, 9>::Zero();
  by_nodes.block<3, 3>(0, 0) = -Mat3::Identity();
  by_nodes.block<3, 3>(0, 3) = Mat3::Identity();
  by_nodes.block<3, 3>(3, 6) = e.unscale.asDiagonal();
  set_system<kVariables, 3>(by_nodes, local, q, scales, out);
}

void CordeGyroscopicKernel::add(int turning, const Vec3& inertia, const Vec3& unscale) {
  nodes.push_back({turning});
  elements_.push_back({inertia, unscale});
}

void CordeGyroscopicKernel::force(int element, const ElementState<1>& q, std::array<Vec3, 1>& force) const {
  const Element& e = elements_[at(element)];
  const Vec3 spin = e.unscale.cwiseProduct(q.v[0]);
  force[0] = -e.unscale.cwiseProduct(spin.cross(e.inertia.cwiseProduct(spin)));
}

void CordeGyroscopicKernel::linearise(int element, const ElementState<1>& q, const ElementScales& scales,
                                      ElementSystem<1>& out) const {
  force(element, q, out.force);
  out.stiffness_velocity[0].setZero();
  out.a[0][0].setZero();
  if (scales.form == JacobianForm::positive) return;
  const Element& e = elements_[at(element)];
  const Vec3 spin = e.unscale.cwiseProduct(q.v[0]);
  for (int k = 0; k < 3; ++k) {
    const Vec3 change = e.unscale[k] * Vec3::Unit(k);
    out.a[0][0].col(k) = scales.damping * e.unscale.cwiseProduct(change.cross(e.inertia.cwiseProduct(spin)) +
                                                                 spin.cross(e.inertia.cwiseProduct(change)));
  }
}

}  // namespace heddle
