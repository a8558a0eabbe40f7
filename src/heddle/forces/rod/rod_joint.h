#pragma once

#include <heddle/dynamics/stencil_term.h>

#include <array>
#include <string_view>
#include <vector>

namespace heddle {

/// Where two segments of a rod meet, and what bends and twists there.
struct RodJoint {
  std::array<int, 2> segments{};   // whose frames turn against each other
  double length = 0;               // m, half of both segments
  Vec3 stiffness = Vec3::Zero();   // N m2, against bending about d1 and d2 and twist about d3
  Vec3 rest = Vec3::Zero();        // rad, strain at rest
  Quat offset = Quat::Identity();  // turns the second frame before it is compared, for sharp joints
  double damping = 0;              // N m2 s

  bool is_sharp() const { return offset.w() != 1; }
};

/// Bending and twist between two segments that share a node, exact in their directions: d3 of each frame is
/// the direction of its segment, and one angle turns it about that (the twist-angle form of Bergou et al.
/// 2010, "Discrete viscous threads", 4).
///
///    x0 --- x1 --- x2     frame of a segment = shortest rotation from its last direction to the one now,
///       a        b        after the last frame, after a turn about d3 by its turning particle
///    turned by x3, x4     V = 1/2 sum_k K_k (rho_k - rho0_k)^2 / l
/// where rho is the rotation vector from frame a to frame b (after its offset): for a helix rho / l is the
/// Darboux vector exactly. Friction is (gamma / l) rho'. The positive form takes the negative eigenvalues out
/// of the second derivative, which dual numbers make from the force.
class RodJointKernel {
 public:
  static constexpr int kNodes = 5;
  static constexpr std::string_view kName = "rod_bending";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  static constexpr std::array kEdge{0, 1};
  using Nodes = std::array<int, kNodes>;

  /// Far end of the first segment, shared node, far end of the second one, their turning particles.
  /// `forward`: whether the first segment runs to the shared node and the second away from it.
  void add(const Nodes& nodes, const std::array<bool, 2>& forward, const RodJoint& joint);

  double energy(int element, const ElementState<5>& q) const;
  void force(int element, const ElementState<5>& q, std::array<Vec3, 5>& force) const;
  void linearise(int element, const ElementState<5>& q, const ElementScales& scales,
                 ElementSystem<5>& out) const;
  /// How far the second frame is turned against the first one: rotation vector in rad.
  Vec3 strain(int element, const ElementState<5>& q) const;

  std::vector<Nodes> nodes;

 private:
  struct Element {
    RodJoint joint;
    std::array<double, 2> sign;
  };
  std::vector<Element> elements_;
};

}  // namespace heddle
