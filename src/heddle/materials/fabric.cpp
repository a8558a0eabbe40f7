#include <heddle/materials/fabric.h>

namespace heddle {

namespace {

/// Below this a limit means that the cloth must not strain at all, which triangles cannot do and bend.
constexpr double kLeastLimit = 1e-3;

void describe_limits(Describer<Fabric>& d) {
  const auto limit = [&](const char* name, std::optional<double> Fabric::*field, const std::string& what,
                         double most) {
    d.parameter(name, field,
                {.unit = "1",
                 .doc = "Largest " + what + "; without it there is no limit.",
                 .minimum = kLeastLimit,
                 .maximum = most});
  };
  limit("weft_stretch_limit", &Fabric::weft_stretch_limit, "stretch along the weft", 10);
  limit("warp_stretch_limit", &Fabric::warp_stretch_limit, "stretch along the warp", 10);
  limit("shear_limit", &Fabric::shear_limit, "shear strain (half the shear angle) in either direction", 0.9);
  limit("weft_compression_limit", &Fabric::weft_compression_limit, "compression along the weft", 0.9);
  limit("warp_compression_limit", &Fabric::warp_compression_limit, "compression along the warp", 0.9);
}

}  // namespace

void Fabric::describe(Describer<Fabric>& d) {
  d.type("fabric", "part",
         "Mechanical and visible properties of a fabric. Values that are not named are those of \"base\", "
         "and without it the defaults listed here, which belong to no preset.");
  std::vector<std::string> names;
  for (const FabricPreset& preset : fabric_presets()) names.push_back(preset.name);
  d.parameter(
      "base", &Fabric::base,
      {.unit = "", .doc = "Preset that gives the values not named; without it they have their defaults."});
  d.parameter("density", &Fabric::density,
              {.unit = "kg/m2", .doc = "Mass per area.", .minimum = 1e-3, .maximum = 20});
  d.parameter("weft_stiffness", &Fabric::weft_stiffness,
              {.unit = "N/m",
               .doc = "Tensile stiffness along the weft: force per width and strain, at small strain.",
               .minimum = 1e-2,
               .maximum = 1e7});
  d.parameter("warp_stiffness", &Fabric::warp_stiffness,
              {.unit = "N/m",
               .doc = "Tensile stiffness along the warp: force per width and strain, at small strain.",
               .minimum = 1e-2,
               .maximum = 1e7});
  d.parameter("shear_stiffness", &Fabric::shear_stiffness,
              {.unit = "N/m",
               .doc = "Shear force per width and unit of shear angle.",
               .minimum = 1e-3,
               .maximum = 1e7});
  d.parameter("poisson", &Fabric::poisson,
              {.unit = "1",
               .doc = "Contraction across per stretch along the weft.",
               .minimum = -0.9,
               .maximum = 0.9});
  d.parameter("stretch_damping", &Fabric::stretch_damping,
              {.unit = "s",
               .doc = "Viscous stress per strain rate, as a multiple of the stiffness.",
               .minimum = 0,
               .maximum = 10});
  d.parameter("weft_bending", &Fabric::weft_bending,
              {.unit = "N m",
               .doc = "Bending rigidity per width along the weft (KES B).",
               .minimum = 0,
               .maximum = 10});
  d.parameter("warp_bending", &Fabric::warp_bending,
              {.unit = "N m",
               .doc = "Bending rigidity per width along the warp (KES B).",
               .minimum = 0,
               .maximum = 10});
  d.parameter("bending_damping", &Fabric::bending_damping,
              {.unit = "s",
               .doc = "Viscous moment per rate of curvature, as a multiple of the rigidity.",
               .minimum = 0,
               .maximum = 10});
  describe_limits(d);
  d.parameter(
      "thickness", &Fabric::thickness,
      {.unit = "m", .doc = "Thickness, the distance kept in contact.", .minimum = 1e-6, .maximum = 0.05});
  d.parameter("friction", &Fabric::friction,
              {.unit = "1",
               .doc = "Coulomb friction; a contact has the geometric mean of both sides.",
               .minimum = 0,
               .maximum = 10});
  d.parameter("stiction", &Fabric::stiction,
              {.unit = "1",
               .doc = "Friction that holds a surface at rest, relative to that of sliding.",
               .minimum = 1,
               .maximum = 10});
  d.parameter("colour", &Fabric::colour,
              {.unit = "", .doc = "Front colour, linear RGB.", .minimum = 0, .maximum = 1});
  d.parameter("back_colour", &Fabric::back_colour,
              {.unit = "", .doc = "Back colour, linear RGB.", .minimum = 0, .maximum = 1});
  d.parameter("pattern", &Fabric::pattern,
              {.unit = "", .doc = "Pattern drawn on the cloth.", .choices = {"plain", "weave", "checker"}});
  d.parameter("pattern_size", &Fabric::pattern_size,
              {.unit = "m", .doc = "Size of one repeat of the pattern.", .minimum = 1e-4, .maximum = 10});
  d.validate([names](const Fabric& fabric, const SourceLocation& where, Diagnostics& diagnostics) {
    if (!fabric.base.empty() && !find_preset(fabric.base)) {
      const std::string nearest = nearest_name(fabric.base, names);
      diagnostics.error(where, "unknown fabric preset " + in_quotes(fabric.base),
                        (nearest.empty() ? "" : "did you mean " + in_quotes(nearest) + "? ") +
                            "\"base\" takes presets only, not fabrics of the scene: " + quoted_list(names));
    }
    if (fabric.poisson * fabric.poisson * fabric.warp_stiffness >= fabric.weft_stiffness)
      diagnostics.error(where, "poisson " + number_text(fabric.poisson) + " makes the fabric unstable",
                        "its square must stay below weft_stiffness / warp_stiffness");
    // A face at all three limits has the stretch [1 - weft, shear; shear, 1 - warp].
    if (fabric.shear_limit && fabric.weft_compression_limit && fabric.warp_compression_limit) {
      const double room = (1 - *fabric.weft_compression_limit) * (1 - *fabric.warp_compression_limit);
      if (std::pow(*fabric.shear_limit, 2) >= room)
        diagnostics.error(
            where,
            "shear_limit " + number_text(*fabric.shear_limit) +
                " contradicts the limits of compression: a face at all of them would be turned over",
            "lower shear_limit below " + short_number_text(std::sqrt(room)) +
                ", or the limits of compression");
    }
  });
}

const FabricPreset* find_preset(std::string_view name) {
  for (const FabricPreset& preset : fabric_presets())
    if (preset.name == name) return &preset;
  return nullptr;
}

}  // namespace heddle
