#pragma once

#include <heddle/core/describe.h>
#include <heddle/dynamics/stencil_term.h>

#include <array>
#include <string_view>
#include <vector>

namespace heddle {

/// Scene parameters of hinge bending.
struct HingeBending {
  std::string treatment = "implicit";

  static void describe(Describer<HingeBending>& d);
};

/// Bending by dihedral angles with rest angles (Bridson, Marino and Fedkiw 2003; Thomaszewski 2010, F11).
///
///        x1          angle theta = atan2((n1 x n2) . e, n1 . n2), zero if flat
///       /  \         W(theta) = c [2 cos(theta0/2) - 2 cos(theta/2) - (theta - theta0) sin(theta0/2)]
///     x3 -- x4       f_i = c (sin(theta/2) - sin(theta0/2)) u_i with u_i = -dtheta/dx_i
///       \  /         c = 4 B |E|^2 / (|N1| + |N2|), taken at rest, B the rigidity per width:
///        x2          on equilateral meshes exactly the energy B kappa^2 / 2 per area.
/// With c at rest the force is a gradient, which the printed form (c of the current shape) is not.
/// The positive form keeps W'' u u^T and drops W' d2theta: it is of rank one and cheap.
class HingeBendingKernel {
 public:
  static constexpr int kNodes = 4;
  static constexpr std::string_view kName = "hinge_bending";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  static constexpr std::array kEdge{2, 3};
  using Nodes = std::array<int, kNodes>;

  /// Wings, then edge, as drawn. `rest` are rest positions (only lengths and areas count), `rigidity` in N m,
  /// `damping` in s: viscous moment as a multiple of the elastic one, `rest_angle` in rad.
  void add(const Nodes& hinge, const std::array<Vec3, 4>& rest, double rest_angle, double rigidity,
           double damping);

  double energy(int element, const ElementState<4>& q) const;
  void force(int element, const ElementState<4>& q, std::array<Vec3, 4>& force) const;
  void linearise(int element, const ElementState<4>& q, const ElementScales& scales,
                 ElementSystem<4>& out) const;

  std::vector<Nodes> nodes;

 private:
  struct Element {
    double stiffness;   // c, N m
    double damping;     // N m s, moment per rate of the angle
    double rest_angle;  // rad
    double sine_rest;   // sin(rest_angle / 2)
  };
  std::vector<Element> elements_;
};

}  // namespace heddle
