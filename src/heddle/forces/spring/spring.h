#pragma once

#include <heddle/dynamics/stencil_term.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// When the springs and dampers of a kernel act. Boxerman 2003 leaves open what dampers do in a slack spring
/// and while it shortens; here both can be chosen.
struct SpringRules {
  bool resists_compression = true;  // false: slack below the rest length
  bool projected_damper = true;     // along the spring only; false: against any relative velocity
  bool damps_shortening = true;     // false: only while the spring grows longer
  bool damps_slack = false;         // also below the rest length, if the spring is slack there
};

/// Linear springs with dampers between pairs of particles. With x = x_1 - x_0, v = v_1 - v_0, l = |x|:
///   elastic   f_0 = k (l - L) x/l, zero if slack               (Boxerman 2003, (3.6) corrected)
///   projected f_0 = c (v.x)/(x.x) x                            (Boxerman 2003, (3.14))
///   free      f_0 = c v, which also damps rotation             (Boxerman 2003, (3.12))
/// and f_1 = -f_0. The positive Jacobian is k x x^T/l^2 + max(0, k (1 - L/l)) (I - x x^T/l^2) by position and
/// c x x^T/l^2 or c I by velocity; the derivative of the damper by position (3.16) is part of the exact form
/// only: it is not symmetric and makes steps unstable.
class SpringKernel {
 public:
  static constexpr int kNodes = 2;
  static constexpr std::string_view kName = "springs";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  using Nodes = std::array<int, kNodes>;

  SpringKernel(std::string term_name, const SpringRules& rules) : name(std::move(term_name)), rules_(rules) {}

  struct Spring {
    double rest;       // m
    double stiffness;  // N/m
    double damping;    // N s/m
  };

  /// `rest` in m, `stiffness` in N/m, `damping` in N s/m.
  void add(const Nodes& particles, double rest, double stiffness, double damping);

  double energy(int element, const ElementState<2>& q) const;
  void force(int element, const ElementState<2>& q, std::array<Vec3, 2>& force) const;
  void linearise(int element, const ElementState<2>& q, const ElementScales& scales,
                 ElementSystem<2>& out) const;

  bool is_active(int element, const ElementState<2>& q) const;
  double rest_length(int element) const { return springs_[static_cast<size_t>(element)].rest; }  // m

  std::string name;
  std::vector<Nodes> nodes;

 private:
  SpringRules rules_;
  std::vector<Spring> springs_;
};

}  // namespace heddle
