#pragma once

#include <heddle/core/describe.h>
#include <heddle/forces/spring/spring.h>

#include <optional>
#include <string>

namespace heddle {

/// Scene parameters that all membranes made of springs have; where a value is missing it comes from the
/// fabric.
struct SpringMembrane {
  std::optional<double> stretch_stiffness, shear_stiffness;  // N/m
  std::optional<double> stretch_damping, shear_damping;      // N s/m
  std::string damper = "projected";                          // or "free"
  std::string damper_acts = "always";                        // or "elongating"
  std::string stretch_treatment = "implicit", shear_treatment = "implicit";
};

/// Springs that only pull: stretch along rows and columns, shear along diagonals (Choi and Ko 2002, with
/// separate stiffnesses as in Boxerman 2003, 3.2).
struct ChoiKo : SpringMembrane {
  bool slack_damping = false;

  SpringRules rules() const;
  static void describe(Describer<ChoiKo>& d);
};

/// The same springs, pulling and pushing (Provot 1995; Eurographics 2002, (2)).
struct Provot : SpringMembrane {
  SpringRules rules() const;
  static void describe(Describer<Provot>& d);
};

/// Linear springs to the next but one vertices, which resist bending where cloth hardly stretches (Provot
/// 1995).
struct FlexionSprings {
  std::optional<double> stiffness;  // N/m
  double damping = 0;               // N s/m
  std::string treatment = "implicit";

  static void describe(Describer<FlexionSprings>& d);
};

/// No bending at all.
struct NoBending {
  static void describe(Describer<NoBending>& d);
};

}  // namespace heddle
