#pragma once

#include <heddle/core/describe.h>
#include <heddle/dynamics/stencil_term.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Scene parameters of buckling springs.
struct BucklingSprings {
  std::optional<double> stiffness;         // N
  std::optional<double> linear_stiffness;  // N/m
  std::string treatment = "implicit";

  static void describe(Describer<BucklingSprings>& d);
};

/// The pull of a strip of relative chord s = |x|/L that buckles into an arc, in units of its stiffness
/// (Boxerman 2003, (3.9)): it fits theta^2 / (cos theta - sin theta / theta) with s = sin theta / theta
/// within 1.6 %. Negative: it pushes.
double buckling_pull(double s);
double buckling_pull_slope(double s);     // d/ds
double buckling_pull_integral(double s);  // from 0 to s

/// Springs to the next but one neighbours that bend instead of being compressed (Choi and Ko 2002; Boxerman
/// 2003, (3.8)-(3.10) corrected). Below the rest length L
///   f_0 = max(k f(s), c (|x| - L)) x/|x|,  s = |x|/L,
/// above it nothing. The linear part replaces the jump of the polynomial at s = 1. The positive form drops
/// what the push does across the spring.
class BucklingKernel {
 public:
  static constexpr int kNodes = 2;
  static constexpr std::string_view kName = "bend_springs";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  using Nodes = std::array<int, kNodes>;

  /// `rest` in m, `stiffness` in N, `linear_stiffness` in N/m; the latter is at least 10 stiffness / rest, so
  /// that both parts meet once.
  void add(const Nodes& particles, double rest, double stiffness, double linear_stiffness);

  double energy(int element, const ElementState<2>& q) const;
  void force(int element, const ElementState<2>& q, std::array<Vec3, 2>& force) const;
  void linearise(int element, const ElementState<2>& q, const ElementScales& scales,
                 ElementSystem<2>& out) const;
  bool is_active(int element, const ElementState<2>& q) const;

  std::vector<Nodes> nodes;

 private:
  struct Element {
    double rest;       // L, m
    double stiffness;  // k, N
    double linear;     // c, N/m
    double meeting;    // the s at which both parts are equal
  };
  static double tension(const Element& e, double length);  // N
  static double slope(const Element& e, double length);    // N/m

  std::vector<Element> elements_;
};

}  // namespace heddle
