#pragma once

#include <heddle/dynamics/stencil_term.h>
#include <heddle/math/animated.h>

#include <array>
#include <string_view>
#include <vector>

namespace heddle {

/// Scene parameters of wind.
struct Wind {
  Animated<Vec3> velocity{Vec3::Zero()};  // m/s
  double air_density = 1.2;               // kg/m3
  double drag = 1.0;                      // 1
  double lift = 0.5;                      // 1

  static void describe(Describer<Wind>& d);
};

/// Drag and lift of air on every triangle. With the velocity u of the triangle relative to the air, the
/// normal n on the side it moves to, a = n.u >= 0 and the area A:
///   F = -rho/2 A [C_D a u + C_L (|u| a n - a^2 u/|u|)],
/// drag against the motion on the projected area, lift across it; a third acts on each corner.
/// The derivative by position (turning of the normal) is left out of the Jacobian.
class WindKernel {
 public:
  static constexpr int kNodes = 3;
  static constexpr std::string_view kName = "wind";
  static constexpr bool kConservative = false;
  static constexpr bool kExternal = true;

  WindKernel(Wind parameters, std::vector<std::array<int, 3>> triangles)
      : nodes(std::move(triangles)), parameters_(std::move(parameters)) {}

  double energy(int, const ElementState<3>&) const { return 0; }
  void force(int element, const ElementState<3>& q, std::array<Vec3, 3>& force) const;
  void linearise(int element, const ElementState<3>& q, const ElementScales& scales,
                 ElementSystem<3>& out) const;

  std::vector<std::array<int, 3>> nodes;

 private:
  Wind parameters_;
};

}  // namespace heddle
