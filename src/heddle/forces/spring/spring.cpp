#include <heddle/forces/spring/spring.h>

#include <heddle/core/check.h>
#include <heddle/forces/spring/axial.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// One spring in one state.
struct SpringNow {
  AxialLine line;
  double stretch;    // l - L, m
  double stiffness;  // N/m, zero if slack
  double damping;    // N s/m, zero if the damper does not act
};

SpringNow spring_now(const SpringKernel::Spring& spring, const SpringRules& rules, const ElementState<2>& q) {
  const AxialLine line = axial_line(q);
  const double stretch = line.length - spring.rest;
  const bool slack = stretch < 0 && !rules.resists_compression;
  const bool damped = (!slack || rules.damps_slack) && (rules.damps_shortening || line.elongation() >= 0);
  return {line, stretch, slack ? 0 : spring.stiffness, damped ? spring.damping : 0};
}

Vec3 pull_of(const SpringNow& s, const SpringRules& rules) {
  const Vec3 elastic = s.stiffness * s.stretch * s.line.direction;
  if (!rules.projected_damper) return elastic + s.damping * s.line.rate;
  return elastic + s.damping * s.line.elongation() * s.line.direction;
}

/// Boxerman 2003, (3.16): c/l^2 [x v^T + (x.v) (I - 2 x x^T/l^2)].
Mat3 damper_by_position(const SpringNow& s) {
  if (s.line.length == 0) return Mat3::Zero();
  const Vec3& u = s.line.direction;
  Mat3 block = u * s.line.rate.transpose() - 2 * s.line.elongation() * u * u.transpose();
  block.diagonal().array() += s.line.elongation();
  return (s.damping / s.line.length) * block;
}

}  // namespace

void SpringKernel::add(const Nodes& particles, double rest, double stiffness, double damping) {
  HEDDLE_CHECK_GT(rest, 0.0);
  nodes.push_back(particles);
  springs_.push_back({rest, stiffness, damping});
}

bool SpringKernel::is_active(int element, const ElementState<2>& q) const {
  const SpringNow s = spring_now(springs_[at(element)], rules_, q);
  return s.stiffness != 0 || s.damping != 0;
}

double SpringKernel::energy(int element, const ElementState<2>& q) const {
  const SpringNow s = spring_now(springs_[at(element)], rules_, q);
  return 0.5 * s.stiffness * s.stretch * s.stretch;
}

void SpringKernel::force(int element, const ElementState<2>& q, std::array<Vec3, 2>& force) const {
  set_pull(pull_of(spring_now(springs_[at(element)], rules_, q), rules_), force);
}

void SpringKernel::linearise(int element, const ElementState<2>& q, const ElementScales& scales,
                             ElementSystem<2>& out) const {
  const SpringNow s = spring_now(springs_[at(element)], rules_, q);
  set_pull(pull_of(s, rules_), out.force);
  Mat3 stiffness = axial_stiffness(s.line, s.stiffness * s.stretch, s.stiffness, scales.form);
  if (scales.form == JacobianForm::exact && rules_.projected_damper) stiffness += damper_by_position(s);
  const Mat3 damping = rules_.projected_damper
                           ? Mat3(s.damping * s.line.direction * s.line.direction.transpose())
                           : Mat3(s.damping * Mat3::Identity());
  set_jacobian(stiffness, damping, s.line, scales, out);
}

}  // namespace heddle
