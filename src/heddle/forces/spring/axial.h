#pragma once

#include <heddle/dynamics/stencil_term.h>

namespace heddle {

/// The line between the two particles of an axial element, from the first to the second.
struct AxialLine {
  Vec3 direction;  // unit; zero if the particles coincide
  double length;   // m
  Vec3 rate;       // velocity of the second relative to the first, m/s

  double elongation() const { return direction.dot(rate); }  // m/s
};

inline AxialLine axial_line(const ElementState<2>& q) {
  const Vec3 across = q.x[1] - q.x[0];
  const double length = across.norm();
  return {length > 0 ? Vec3(across / length) : Vec3::Zero(), length, q.v[1] - q.v[0]};
}

/// force[0] = pull on the first particle, the opposite on the second.
inline void set_pull(const Vec3& pull, std::array<Vec3, 2>& force) {
  force = {pull, -pull};
}

/// K and D of an element whose pull is a function of x1 - x0 and v1 - v0, with the derivatives `stiffness`
/// (N/m) and `damping` (N s/m).
inline void set_jacobian(const Mat3& stiffness, const Mat3& damping, const AxialLine& line,
                         const ElementScales& scales, ElementSystem<2>& out) {
  const Vec3 Kv = stiffness * line.rate;
  out.stiffness_velocity = {-Kv, Kv};
  if (!scales.wants_blocks()) return;
  const Mat3 block = scales.stiffness * stiffness + scales.damping * damping;
  out.a = {{{block, -block}, {-block, block}}};
}

/// Derivative of T(length) direction: T' along the line, T / length across it. The positive form leaves out
/// what a pushing element does across: it would make it buckle.
inline Mat3 axial_stiffness(const AxialLine& line, double tension, double slope, JacobianForm form) {
  double across = line.length > 0 ? tension / line.length : 0;
  if (form == JacobianForm::positive) across = std::max(across, 0.0);
  Mat3 block = (slope - across) * line.direction * line.direction.transpose();
  block.diagonal().array() += across;
  return block;
}

}  // namespace heddle
