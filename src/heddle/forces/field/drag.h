#pragma once

#include <heddle/dynamics/stencil_term.h>
#include <heddle/math/animated.h>

#include <array>
#include <string_view>
#include <vector>

namespace heddle {

/// Scene parameters of linear drag.
struct Drag {
  double damping = 0;                     // N s/m, of every particle
  double area_damping = 0;                // N s/m3, of every square metre of cloth
  Animated<Vec3> velocity{Vec3::Zero()};  // of the air, m/s

  static void describe(Describer<Drag>& d);
};

/// Resistance in proportion to the velocity u relative to the air: f = -(damping + area_damping A) u, with
/// the rest area A around the particle. The part per particle, in still air, is the damping of Provot 1995
/// (Boxerman 2003, (3.13)) and the literal air damping of Boxerman's experiments; it grows with the number of
/// particles, the part per area does not.
class DragKernel {
 public:
  static constexpr int kNodes = 1;
  static constexpr std::string_view kName = "drag";
  static constexpr bool kConservative = false;
  static constexpr bool kExternal = true;
  static constexpr bool kConstantJacobian = true;
  static constexpr bool kIsotropicBlocks = true;

  /// `area` in m2 per particle.
  DragKernel(Drag parameters, std::span<const double> area);

  double energy(int, const ElementState<1>&) const { return 0; }
  void force(int element, const ElementState<1>& q, std::array<Vec3, 1>& force) const;
  void linearise(int element, const ElementState<1>& q, const ElementScales& scales,
                 ElementSystem<1>& out) const;

  std::vector<std::array<int, 1>> nodes;

 private:
  Drag parameters_;
  std::vector<double> damping_;  // N s/m
};

}  // namespace heddle
