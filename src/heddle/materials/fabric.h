#pragma once

#include <heddle/math/value_traits.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// What a textile laboratory measures of a fabric. Stiffness and rigidity are per width of cloth.
struct Fabric {
  std::string base;                // preset that the other values start from
  double density = 0.15;           // kg/m2
  double weft_stiffness = 800;     // N/m
  double warp_stiffness = 800;     // N/m
  double shear_stiffness = 60;     // N/m
  double poisson = 0.2;            // 1, contraction along warp when stretched along weft
  double stretch_damping = 0.002;  // s, viscous stress per stiffness
  double weft_bending = 8e-6;      // N m
  double warp_bending = 8e-6;      // N m
  double bending_damping = 0.02;   // s
  // Strains that it does not exceed, 1; without them it stretches, shears and shrinks as forces ask.
  std::optional<double> weft_stretch_limit, warp_stretch_limit, shear_limit;
  std::optional<double> weft_compression_limit, warp_compression_limit;
  double thickness = 5e-4;        // m
  double friction = 0.4;          // 1, sliding; a pair has the geometric mean of both
  double stiction = 1;            // 1, friction at rest relative to sliding
  Vec3 colour{0.55, 0.16, 0.14};  // front, linear RGB
  Vec3 back_colour{0.45, 0.2, 0.18};
  std::string pattern = "weave";
  double pattern_size = 0.01;  // m

  static void describe(Describer<Fabric>& d);
  bool has_limits() const {
    return weft_stretch_limit || warp_stretch_limit || shear_limit || weft_compression_limit ||
           warp_compression_limit;
  }
};

/// A fabric that ships with Heddle, and where its numbers come from.
struct FabricPreset {
  std::string name;
  std::string summary;
  std::string source;
  Fabric fabric;
};

/// At least cotton, denim, silk, wool, linen, polyester, jersey, felt …; ordered by name.
const std::vector<FabricPreset>& fabric_presets();
/// Null if there is no such preset.
const FabricPreset* find_preset(std::string_view name);

}  // namespace heddle
