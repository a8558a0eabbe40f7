#pragma once

#include <heddle/core/describe.h>
#include <heddle/dynamics/stencil_term.h>
#include <heddle/math/value_traits.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle {

/// Plane orthotropic moduli per width of cloth; axis 1 is the weft, axis 2 the warp.
///   S11 = a11 E11 + a12 E22,  S22 = a12 E11 + a22 E22,  S12 = 2 g E12.   N/m, or N s/m for viscosity.
struct PlaneModuli {
  double a11 = 0, a22 = 0, a12 = 0, g = 0;

  /// From Young's moduli, shear modulus and the contraction across per stretch along the weft
  /// (Thomaszewski 2010, after (2.23), in the usual convention nu12 / E1 = nu21 / E2).
  static PlaneModuli orthotropic(double weft, double warp, double shear, double poisson);
  /// lambda tr(E) I + 2 mu E.
  static PlaneModuli isotropic(double lambda, double mu);
  PlaneModuli scaled(double factor) const { return {factor * a11, factor * a22, factor * a12, factor * g}; }
};

/// Scene parameters of the St. Venant-Kirchhoff membrane.
struct StvkMembrane {
  std::optional<Vec2> viscosity;  // N s/m: lambda_d, mu_d

  static void describe(Describer<StvkMembrane>& d);
};

/// Constant-strain triangles in total Lagrangian form with elastic and viscous stress
/// (Thomaszewski 2010, 2.2.1 with ERR-2: dF_jm/dx_kl = delta_jl dN_k/dX_m).
///   F = sum_i x_i gradN_i^T, E = (F^T F - I)/2, f_i = -A F (S + S_v) gradN_i
///   K_ij = A [(gradN_i . S gradN_j) I + F M_ij F^T], where M_ij carries the moduli; D_ij is the second part
///   with the viscous moduli.
/// The positive form replaces S by its positive part in the first term: a compressed membrane would
/// otherwise make K indefinite; it leaves out of S what Linearisation::straight_motion says. The position
/// derivative of the viscous stress is left out.
class StvkMembraneKernel {
 public:
  static constexpr int kNodes = 3;
  static constexpr std::string_view kName = "membrane";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  using Nodes = std::array<int, kNodes>;

  /// `rest` are the rest coordinates of the corners along weft and warp, m, counter-clockwise.
  void add(const Nodes& triangle, const std::array<Vec2, 3>& rest, const PlaneModuli& elastic,
           const PlaneModuli& viscous);

  double energy(int element, const ElementState<3>& q) const;
  void force(int element, const ElementState<3>& q, std::array<Vec3, 3>& force) const;
  void linearise(int element, const ElementState<3>& q, const ElementScales& scales,
                 ElementSystem<3>& out) const;

  std::vector<Nodes> nodes;
  std::vector<std::array<double, 3>> lengths;  // m, at rest, from each corner to the next

 private:
  struct Element {
    std::array<Vec2, 3> gradient;  // of the shape functions, 1/m
    double area;                   // m2
    PlaneModuli elastic, viscous;
  };
  std::vector<Element> elements_;
};

}  // namespace heddle
