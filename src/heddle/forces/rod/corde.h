#pragma once

#include <heddle/forces/rod/rod_joint.h>

namespace heddle {

/// Rods whose segments have frames of their own (CoRDE, Spillmann 2008, 3.2): the turning particle of a
/// segment holds all three components of its rotation w = unscale x since the last step, and the frame now is
/// the last one after (w/2, 1), normalised. `unscale` makes one mass of moments of inertia that differ:
/// x = sqrt(J / J33) w.

/// Bending and twist between two segments: V = l/2 sum_k K_k (u_k - u0_k)^2 with u = (2/l) Im(q_a^-1 q_b),
/// the closed form of Spillmann 2008, (3.17); friction (gamma / l) of their relative angular velocity (3.24).
/// Relative rotations of pi have the largest strain there is.
class CordeJointKernel {
 public:
  static constexpr int kNodes = 2;
  static constexpr std::string_view kName = "corde_bending";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  using Nodes = std::array<int, kNodes>;

  /// Turning particles; `joint.rest` is l u0.
  void add(const Nodes& turning, const RodJoint& joint, const Vec3& unscale);

  double energy(int element, const ElementState<2>& q) const;
  void force(int element, const ElementState<2>& q, std::array<Vec3, 2>& force) const;
  void linearise(int element, const ElementState<2>& q, const ElementScales& scales,
                 ElementSystem<2>& out) const;

  std::vector<Nodes> nodes;

 private:
  struct Element {
    RodJoint joint;
    Vec3 unscale;
  };
  std::vector<Element> elements_;
};

/// Turns frames towards their segments: V = l kappa/2 |t - d3|^2 (Spillmann 2008, (3.14)).
class CordePenaltyKernel {
 public:
  static constexpr int kNodes = 3;
  static constexpr std::string_view kName = "corde_penalty";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  static constexpr std::array kEdge{0, 1};
  using Nodes = std::array<int, kNodes>;

  /// Ends of the segment and its turning particle; `strength` = l kappa in N m.
  void add(const Nodes& nodes, int segment, double strength, const Vec3& unscale);

  double energy(int element, const ElementState<3>& q) const;
  void force(int element, const ElementState<3>& q, std::array<Vec3, 3>& force) const;
  void linearise(int element, const ElementState<3>& q, const ElementScales& scales,
                 ElementSystem<3>& out) const;

  std::vector<Nodes> nodes;

 private:
  struct Element {
    int segment;
    double strength;  // N m
    Vec3 unscale;
  };
  std::vector<Element> elements_;
};

/// -w x (J w), which the thesis leaves out (Spillmann 2008, (3.20)); explicit.
class CordeGyroscopicKernel {
 public:
  static constexpr int kNodes = 1;
  static constexpr std::string_view kName = "corde_gyroscopic";
  static constexpr bool kConservative = false;
  static constexpr bool kExternal = false;
  using Nodes = std::array<int, kNodes>;

  /// `inertia`: moments about d1, d2, d3, kg m2.
  void add(int turning, const Vec3& inertia, const Vec3& unscale);

  double energy(int, const ElementState<1>&) const { return 0; }
  void force(int element, const ElementState<1>& q, std::array<Vec3, 1>& force) const;
  void linearise(int element, const ElementState<1>& q, const ElementScales& scales,
                 ElementSystem<1>& out) const;

  std::vector<Nodes> nodes;

 private:
  struct Element {
    Vec3 inertia, unscale;
  };
  std::vector<Element> elements_;
};

}  // namespace heddle
