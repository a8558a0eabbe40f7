#pragma once

#include <heddle/core/describe.h>
#include <heddle/dynamics/stencil_term.h>

#include <array>
#include <string_view>
#include <vector>

namespace heddle {

/// Scene parameters of isometric bending.
struct IsometricBending {
  static void describe(Describer<IsometricBending>& d);
};

/// Quadratic bending for sheets that are flat at rest and hardly stretch (Bergou et al. 2006; garments
/// tutorial 2007, B15). The energy of a hinge is c/2 |sum_i w_i x_i|^2 with constant cotangent weights w, so
/// the stiffness is constant. With c = B / (A0 + A1), a third of the published factor, an equilateral mesh
/// has exactly the energy B kappa^2 / 2 per area. Damping acts on the length of the curvature vector sum_i
/// w_i x_i, never on its direction: a bent sheet that turns rigidly is not damped and angular momentum is
/// kept. The positive form takes the damping in all directions, which makes it constant; it damps changes of
/// velocity a little more than the exact one. Nodes are ordered wings x1, x2, edge x3 -> x4 as in hinge
/// bending.
class IsometricBendingKernel {
 public:
  static constexpr int kNodes = 4;
  static constexpr std::string_view kName = "isometric_bending";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  static constexpr bool kConstantJacobian = true;
  static constexpr bool kIsotropicBlocks = true;
  static constexpr std::array kEdge{2, 3};
  using Nodes = std::array<int, kNodes>;

  /// `rigidity` in N m, `damping` in s: viscous force as a multiple of the elastic one.
  void add(const Nodes& hinge, const std::array<Vec3, 4>& rest, double rigidity, double damping);

  double energy(int element, const ElementState<4>& q) const;
  void force(int element, const ElementState<4>& q, std::array<Vec3, 4>& force) const;
  void linearise(int element, const ElementState<4>& q, const ElementScales& scales,
                 ElementSystem<4>& out) const;

  std::vector<Nodes> nodes;

 private:
  struct Element {
    std::array<double, 4> weight;  // 1
    double stiffness;              // c, N/m
    double damping;                // N s/m
    double flat_limit;             // m, curvature vectors below it have no direction
  };
  std::vector<Element> elements_;
};

}  // namespace heddle
