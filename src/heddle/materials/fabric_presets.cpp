#include <heddle/materials/fabric.h>

namespace heddle {

// Short names of the sources, in full in docs/models/fabrics.md:
//   Wang 2011    Wang, O'Brien, Ramamoorthi: Data-driven elastic models for cloth, and its material files.
//   Feng 2022    Feng, Huang, Xu, Wang: bending stiffness by a drape tester, cantilever data of 618 fabrics.
// "Estimated" marks every number without a measurement behind it.
namespace {

FabricPreset canvas() {
  return {"canvas",
          "Heavy plain-woven cotton duck, 14 oz.",
          "Density, bending: one cantilever-tested fabric of 0.487 kg/m2, Feng 2022 (the data names "
          "no fibre; chosen by weight). Stiffness, shear, Poisson, thickness, friction, damping: "
          "estimated.",
          {.density = 0.487,
           .weft_stiffness = 8000,
           .warp_stiffness = 10000,
           .shear_stiffness = 150,
           .poisson = 0.2,
           .stretch_damping = 0.002,
           .weft_bending = 49.5e-6,
           .warp_bending = 115.7e-6,
           .bending_damping = 0.02,
           .thickness = 9e-4,
           .friction = 0.4,
           .colour = Vec3(0.55, 0.47, 0.33),
           .back_colour = Vec3(0.5, 0.43, 0.31),
           .pattern = "weave",
           .pattern_size = 0.012}};
}

FabricPreset cotton() {
  return {"cotton",
          "Plain-woven cotton shirting.",
          "Density, thickness: Penava 2014, table 1. Stiffness: linearised at 98 N/m from EMT "
          "2.29 % of a 158 g/m2 cotton (mean of warp and weft), Tadesse 2018, with an estimated "
          "linearity LT 0.7. Shear: middle of the FAST band 30-80 N/m. Bending: one fabric of 0.150 "
          "kg/m2, Feng 2022 (chosen by weight). Poisson, friction, damping: estimated.",
          {.density = 0.150,
           .weft_stiffness = 10000,
           .warp_stiffness = 10000,
           .shear_stiffness = 55,
           .poisson = 0.2,
           .stretch_damping = 0.002,
           .weft_bending = 5.0e-6,
           .warp_bending = 8.6e-6,
           .bending_damping = 0.02,
           .thickness = 3.2e-4,
           .friction = 0.35,
           .colour = Vec3(0.55, 0.16, 0.14),
           .back_colour = Vec3(0.45, 0.2, 0.18),
           .pattern = "weave",
           .pattern_size = 0.008}};
}

FabricPreset denim() {
  return {"denim",
          "Cotton twill for jeans, 11 oz.",
          "Density, bending: one fabric of 0.370 kg/m2, Feng 2022 (chosen by weight and its stiff "
          "warp). Shear, thickness, stiffness (linearised at 98 N/m from EMT 5.5 %, LT 0.71, one "
          "value for both directions): KES-F of denim A in J. Textiles 2016, 4614168, table 5. Poisson: "
          "rounded from 0.04 of 11oz-black-denim, Wang 2011. Friction, damping: estimated.",
          {.density = 0.370,
           .weft_stiffness = 4300,
           .warp_stiffness = 4300,
           .shear_stiffness = 122,
           .poisson = 0.05,
           .stretch_damping = 0.002,
           .weft_bending = 38.6e-6,
           .warp_bending = 128.7e-6,
           .bending_damping = 0.02,
           .thickness = 1.07e-3,
           .friction = 0.4,
           .colour = Vec3(0.035, 0.07, 0.19),
           .back_colour = Vec3(0.33, 0.38, 0.46),
           .pattern = "weave",
           .pattern_size = 0.01}};
}

FabricPreset felt() {
  return {"felt",
          "Pressed wool felt, the same in all directions.",
          "Density, bending: one nearly isotropic fabric of 0.378 kg/m2, Feng 2022 (chosen by "
          "weight and isotropy). Shear: isotropic, E / (2 + 2 nu). Stiffness, Poisson, thickness, "
          "friction, damping: estimated.",
          {.density = 0.378,
           .weft_stiffness = 1500,
           .warp_stiffness = 1500,
           .shear_stiffness = 577,
           .poisson = 0.3,
           .stretch_damping = 0.002,
           .weft_bending = 44.8e-6,
           .warp_bending = 40.8e-6,
           .bending_damping = 0.03,
           .thickness = 1.5e-3,
           .friction = 0.5,
           .colour = Vec3(0.06, 0.24, 0.13),
           .back_colour = Vec3(0.06, 0.24, 0.13),
           .pattern = "plain",
           .pattern_size = 0.01}};
}

FabricPreset jersey() {
  return {"jersey",
          "Cotton-polyester interlock knit of a T-shirt; stretches easily.",
          "Density, stiffness, Poisson, bending: gray-interlock (60 % cotton, 40 % polyester), Wang "
          "2011, mean of its stretched samples and of its curvatures; bending divided by 4, the "
          "factor of its hinge energy; shear from its unstretched sample. Thickness, friction, "
          "damping: estimated.",
          {.density = 0.187,
           .weft_stiffness = 77,
           .warp_stiffness = 263,
           .shear_stiffness = 18,
           .poisson = 0.25,
           .stretch_damping = 0.002,
           .weft_bending = 7.6e-6,
           .warp_bending = 4.0e-6,
           .bending_damping = 0.03,
           .thickness = 7e-4,
           .friction = 0.35,
           .colour = Vec3(0.3, 0.31, 0.33),
           .back_colour = Vec3(0.34, 0.35, 0.37),
           .pattern = "weave",
           .pattern_size = 0.005}};
}

FabricPreset leather() {
  return {"leather",
          "Soft sheep garment leather, 0.8 mm.",
          "Thickness: middle of 0.64-0.96 mm, Memon 2021. Bending: estimated, a bending length of "
          "2.3-2.4 cm for the drape coefficient of 47-70 % found there. Stiffness: estimated below "
          "that of wovens (Lange, JSLTC 85, finds garment leather more extensible than suiting). Shear: "
          "isotropic. Density (650 kg/m3), Poisson, friction, damping: estimated.",
          {.density = 0.52,
           .weft_stiffness = 2500,
           .warp_stiffness = 2500,
           .shear_stiffness = 926,
           .poisson = 0.35,
           .stretch_damping = 0.002,
           .weft_bending = 60e-6,
           .warp_bending = 70e-6,
           .bending_damping = 0.03,
           .thickness = 8e-4,
           .friction = 0.5,
           .colour = Vec3(0.16, 0.065, 0.03),
           .back_colour = Vec3(0.32, 0.2, 0.12),
           .pattern = "plain",
           .pattern_size = 0.01}};
}

FabricPreset linen() {
  return {"linen",
          "Plain-woven flax, crisp.",
          "Density, bending: one fabric of 0.205 kg/m2, Feng 2022 (chosen by weight and crispness). "
          "Shear: middle of the FAST band 30-80 N/m. Stiffness, Poisson, thickness, friction, "
          "damping: estimated.",
          {.density = 0.205,
           .weft_stiffness = 6000,
           .warp_stiffness = 8000,
           .shear_stiffness = 55,
           .poisson = 0.2,
           .stretch_damping = 0.002,
           .weft_bending = 13.7e-6,
           .warp_bending = 30.0e-6,
           .bending_damping = 0.02,
           .thickness = 4.5e-4,
           .friction = 0.3,
           .colour = Vec3(0.62, 0.55, 0.42),
           .back_colour = Vec3(0.58, 0.51, 0.39),
           .pattern = "weave",
           .pattern_size = 0.012}};
}

FabricPreset polyester() {
  return {"polyester",
          "Woven polyester of a tablecloth.",
          "Density, stiffness, shear, Poisson, bending: white-dots-on-blk (100 % polyester), Wang "
          "2011, mean of its stretched samples and of its curvatures; bending divided by 4, the "
          "factor of its hinge energy. Thickness: polyester of Penava 2014, table 1. Friction, "
          "damping: estimated.",
          {.density = 0.128,
           .weft_stiffness = 2106,
           .warp_stiffness = 2145,
           .shear_stiffness = 22,
           .poisson = 0.024,
           .stretch_damping = 0.002,
           .weft_bending = 11.1e-6,
           .warp_bending = 6.4e-6,
           .bending_damping = 0.02,
           .thickness = 2.5e-4,
           .friction = 0.25,
           .colour = Vec3(0.08, 0.3, 0.36),
           .back_colour = Vec3(0.09, 0.27, 0.32),
           .pattern = "weave",
           .pattern_size = 0.006}};
}

FabricPreset satin() {
  return {"satin",
          "Supple satin lining, smooth and heavy for its stiffness.",
          "Density, bending: one fabric of 0.101 kg/m2, Feng 2022 (chosen by weight and "
          "suppleness). Stiffness, shear, Poisson, thickness, friction, damping: estimated.",
          {.density = 0.101,
           .weft_stiffness = 2500,
           .warp_stiffness = 3000,
           .shear_stiffness = 20,
           .poisson = 0.1,
           .stretch_damping = 0.002,
           .weft_bending = 2.2e-6,
           .warp_bending = 2.4e-6,
           .bending_damping = 0.01,
           .thickness = 2e-4,
           .friction = 0.2,
           .colour = Vec3(0.4, 0.05, 0.16),
           .back_colour = Vec3(0.3, 0.06, 0.13),
           .pattern = "plain",
           .pattern_size = 0.01}};
}

FabricPreset silk() {
  return {"silk",
          "Light plain-woven silk (habotai, 15 momme).",
          "Density, bending: one fabric of 0.067 kg/m2, Feng 2022 (chosen by weight). Shear: "
          "estimated at 0.35 gf/(cm deg), low as Matsudaira finds for silk. Stiffness, Poisson, "
          "thickness, friction, damping: estimated.",
          {.density = 0.067,
           .weft_stiffness = 3000,
           .warp_stiffness = 4000,
           .shear_stiffness = 20,
           .poisson = 0.2,
           .stretch_damping = 0.002,
           .weft_bending = 3.1e-6,
           .warp_bending = 1.8e-6,
           .bending_damping = 0.01,
           .thickness = 1.5e-4,
           .friction = 0.2,
           .colour = Vec3(0.68, 0.5, 0.28),
           .back_colour = Vec3(0.6, 0.44, 0.25),
           .pattern = "plain",
           .pattern_size = 0.01}};
}

FabricPreset wool() {
  return {"wool",
          "Worsted wool suiting; shears and tailors well.",
          "Density, thickness: Penava 2014, table 1. Stiffness (linearised at 98 N/m from EM1 "
          "4.7 %, EM2 12.8 %, LT 0.55) and shear (0.575 gf/(cm deg)): middle of the ideal KES ranges "
          "for suiting, quoted from Fan 2004, table 1.12. Bending: one fabric of 0.235 kg/m2, Feng "
          "2022 (chosen by weight). Poisson, friction, damping: estimated.",
          {.density = 0.235,
           .weft_stiffness = 1400,
           .warp_stiffness = 3800,
           .shear_stiffness = 32,
           .poisson = 0.2,
           .stretch_damping = 0.002,
           .weft_bending = 6.6e-6,
           .warp_bending = 7.4e-6,
           .bending_damping = 0.02,
           .thickness = 5.7e-4,
           .friction = 0.35,
           .colour = Vec3(0.11, 0.12, 0.15),
           .back_colour = Vec3(0.13, 0.14, 0.17),
           .pattern = "weave",
           .pattern_size = 0.008}};
}

/// How fabrics feel that are soft up to a limit and hard beyond it (Thomaszewski 2010, 3.3.3).
FabricPreset style(const std::string& name, const std::string& summary, const Fabric& fabric) {
  return {
      name, summary,
      "Stiffness, shear and limits: made up, within the range of the examples of Thomaszewski 2010, chapter "
      "3. Density, bending, Poisson, thickness, friction, damping: estimated.",
      fabric};
}

Fabric limited(double stiffness, double shear, double bending, double stretch_limit, double shear_limit) {
  Fabric fabric{.density = 0.15,
                .weft_stiffness = stiffness,
                .warp_stiffness = stiffness,
                .shear_stiffness = shear,
                .poisson = 0.1,
                .weft_bending = bending,
                .warp_bending = bending};
  fabric.weft_stretch_limit = fabric.warp_stretch_limit = stretch_limit;
  fabric.shear_limit = shear_limit;
  fabric.thickness = stiffness < 300 ? 1e-3 : 6e-4;
  return fabric;
}

FabricPreset very_soft() {
  return style("very_soft", "Gives way to any pull up to a quarter of its length, then holds.",
               limited(50, 15, 3e-6, 0.25, 0.5));
}

FabricPreset soft() {
  return style("soft", "A soft knit that holds at a tenth of its length.", limited(150, 50, 5e-6, 0.1, 0.4));
}

FabricPreset firm() {
  return style("firm", "A woven that gives a little and holds at a twentieth of its length.",
               limited(500, 100, 8e-6, 0.05, 0.3));
}

FabricPreset stiff() {
  return style("stiff", "A tight woven that hardly stretches, up to a fiftieth of its length.",
               limited(1000, 200, 15e-6, 0.02, 0.2));
}

}  // namespace

const std::vector<FabricPreset>& fabric_presets() {
  static const std::vector<FabricPreset> presets{canvas(), cotton(),  denim(), felt(),      firm(),
                                                 jersey(), leather(), linen(), polyester(), satin(),
                                                 silk(),   soft(),    stiff(), very_soft(), wool()};
  return presets;
}

}  // namespace heddle
