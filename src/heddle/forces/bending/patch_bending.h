#pragma once

#include <heddle/core/describe.h>
#include <heddle/dynamics/stencil_term.h>

#include <array>
#include <string_view>
#include <vector>

namespace heddle {

/// Scene parameters of patch bending.
struct PatchBending {
  static void describe(Describer<PatchBending>& d);
};

/// Rigidities of a sheet that bends along the weft, along the warp, and twists, N m.
struct BendingModuli {
  double weft = 0;
  double warp = 0;
  double twist = 0;

  /// Twist from the geometric mean, so that equal weft and warp make an isotropic sheet without Poisson
  /// effect.
  static BendingModuli orthotropic(double weft, double warp);
};

/// A triangle unfolded into the plane together with its neighbours: corners, then the vertices opposite to
/// corner 0, 1 and 2, m, weft along x. A side on the border has no neighbour.
struct BendingPatch {
  std::array<Vec2, 6> rest;
  std::array<bool, 3> has_neighbour;
};

/// Quadratic bending from second derivatives, for sheets that are flat at rest and hardly stretch. A triangle
/// and its three neighbours have six vertices, just enough for the six coefficients of a quadratic surface;
/// its second derivatives x_uu, x_vv, x_uv are the curvatures of the sheet times its normal, and
///     W = A/2 (B_weft |x_uu|^2 + B_warp |x_vv|^2 + 2 B_twist |x_uv|^2).
/// Every quadratic surface has exactly its energy, on every mesh and in every direction, which hinges cannot
/// offer. Where neighbours are missing the sheet is free to choose the least energy, which is the condition
/// of a free border. W is written as 1/2 sum_m |c_m|^2 with curvature vectors c_m = sum_i w_mi x_i, so the
/// stiffness is constant. Damping acts on the lengths of the c_m as in isometric bending.
class PatchBendingKernel {
 public:
  static constexpr int kNodes = 6;
  static constexpr int kModes = 3;
  static constexpr std::string_view kName = "patch_bending";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  static constexpr bool kConstantJacobian = true;
  static constexpr bool kIsotropicBlocks = true;
  static constexpr std::array kOutline{0, 1, 2};
  using Nodes = std::array<int, kNodes>;

  /// A missing neighbour's node may be any; it is not used. `damping` in s: viscous force as a multiple of
  /// the elastic one. A triangle without neighbours does not bend and is left out.
  void add(const Nodes& patch, const BendingPatch& shape, const BendingModuli& moduli, double damping);

  double energy(int element, const ElementState<6>& q) const;
  void force(int element, const ElementState<6>& q, std::array<Vec3, 6>& force) const;
  void linearise(int element, const ElementState<6>& q, const ElementScales& scales,
                 ElementSystem<6>& out) const;

  std::vector<Nodes> nodes;

 private:
  struct Element {
    Eigen::Matrix<double, kModes, kNodes> weight;  // sqrt(N/m)
    double damping;                                // s
    double flat_limit;                             // sqrt(J), shorter curvature vectors have no direction
  };
  /// Per mode the curvature vector and its rate, each padded to four values: products of eight rows fill
  /// the processor's vectors.
  using Curvatures = Eigen::Matrix<double, 8, kModes>;
  static Curvatures curvatures(const Element& e, const ElementState<6>& q);
  /// Makes of each curvature vector what pulls at the nodes: itself and its damped rate.
  static void damp(const Element& e, Curvatures& modes);
  static void set_blocks(const Element& e, const Curvatures& modes, const ElementScales& scales,
                         ElementSystem<6>& out);
  std::vector<Element> elements_;
};

}  // namespace heddle
