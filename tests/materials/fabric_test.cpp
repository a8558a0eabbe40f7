#include <heddle/materials/fabric.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle {
namespace {

constexpr double kGravity = 9.81;  // m/s2

/// Length of cloth, in m, that bends under its own weight as the FAST-2 cantilever shows it.
double bending_length(double rigidity, double density) {
  return std::cbrt(rigidity / (density * kGravity));
}

const Fabric& preset(std::string_view name) {
  const FabricPreset* found = find_preset(name);
  HEDDLE_CHECK(found);
  return found->fabric;
}

TEST(FabricPresets, AreSortedUniqueAndComplete) {
  std::vector<std::string> names;
  for (const FabricPreset& preset : fabric_presets()) names.push_back(preset.name);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  for (const char* name :
       {"cotton", "denim", "felt", "jersey", "leather", "linen", "polyester", "silk", "wool"})
    EXPECT_NE(find_preset(name), nullptr) << name;
  EXPECT_EQ(find_preset("unobtainium"), nullptr);
}

TEST(FabricPresets, SayWhatTheyAreAndWhereTheNumbersComeFrom) {
  for (const FabricPreset& preset : fabric_presets()) {
    EXPECT_FALSE(preset.summary.empty()) << preset.name;
    EXPECT_GT(preset.source.size(), 40u) << preset.name;
    for (const char* topic :
         {"ensity", "ending", "tiffness", "hear", "hickness", "oisson", "riction", "amping"})
      EXPECT_NE(preset.source.find(topic), std::string::npos) << preset.name << ": no source for " << topic;
  }
}

TEST(FabricPresets, ValidateAndStayInTheDescribedRanges) {
  const std::vector<std::pair<const char*, double Fabric::*>> numbers{
      {"density", &Fabric::density},
      {"weft_stiffness", &Fabric::weft_stiffness},
      {"warp_stiffness", &Fabric::warp_stiffness},
      {"shear_stiffness", &Fabric::shear_stiffness},
      {"poisson", &Fabric::poisson},
      {"stretch_damping", &Fabric::stretch_damping},
      {"weft_bending", &Fabric::weft_bending},
      {"warp_bending", &Fabric::warp_bending},
      {"bending_damping", &Fabric::bending_damping},
      {"thickness", &Fabric::thickness},
      {"friction", &Fabric::friction},
      {"pattern_size", &Fabric::pattern_size}};
  const TypeDescription& description = description_of<Fabric>();
  for (const FabricPreset& preset : fabric_presets()) {
    Diagnostics diagnostics;
    description.validate(&preset.fabric, {preset.name, 0, 0}, diagnostics);
    for (const auto& [name, member] : numbers) {
      ASSERT_NE(description.find(name), nullptr) << name;
      check_range(preset.fabric.*member, description.find(name)->options, {preset.name, 0, 0}, diagnostics);
    }
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
    const auto& patterns = description.find("pattern")->options.choices;
    EXPECT_NE(std::find(patterns.begin(), patterns.end(), preset.fabric.pattern), patterns.end());
    for (const Vec3& colour : {preset.fabric.colour, preset.fabric.back_colour})
      EXPECT_TRUE(colour.minCoeff() >= 0 && colour.maxCoeff() <= 1) << preset.name;
  }
}

TEST(FabricPresets, ValidationRefusesAnUnstablePoisson) {
  Fabric fabric = preset("wool");
  fabric.poisson = 0.7;
  Diagnostics diagnostics;
  description_of<Fabric>().validate(&fabric, {}, diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST(FabricPresets, BendUnderTheirWeightLikeCloth) {
  for (const FabricPreset& preset : fabric_presets()) {
    const Fabric& fabric = preset.fabric;
    for (const double rigidity : {fabric.weft_bending, fabric.warp_bending}) {
      const double length = bending_length(rigidity, fabric.density);
      EXPECT_GT(length, 0.008) << preset.name;
      EXPECT_LT(length, 0.06) << preset.name;
    }
  }
}

TEST(FabricPresets, HavePlausibleDensityAndStiffness) {
  for (const FabricPreset& preset : fabric_presets()) {
    const Fabric& fabric = preset.fabric;
    const double volume_density = fabric.density / fabric.thickness;  // kg/m3; fibres have 900 to 1600
    EXPECT_GT(volume_density, 100) << preset.name;
    EXPECT_LT(volume_density, 1000) << preset.name;
    EXPECT_LT(fabric.shear_stiffness, std::min(fabric.weft_stiffness, fabric.warp_stiffness)) << preset.name;
    // Yarns slide in bending: cloth is far softer than a solid sheet of its thickness, E h^3 / 12.
    const double stiffness = std::max(fabric.weft_stiffness, fabric.warp_stiffness);
    const double solid = stiffness * fabric.thickness * fabric.thickness / 12;
    EXPECT_LT(std::max(fabric.weft_bending, fabric.warp_bending), solid) << preset.name;
    const double hanging_strain = fabric.density * kGravity / fabric.weft_stiffness;  // of 1 m of cloth
    EXPECT_LT(hanging_strain, 0.05) << preset.name;
  }
}

TEST(FabricPresets, KeepTheOrderThatHandsFeel) {
  for (const auto member : {&Fabric::weft_bending, &Fabric::warp_bending, &Fabric::density}) {
    EXPECT_LT(preset("silk").*member, preset("cotton").*member);
    EXPECT_LT(preset("cotton").*member, preset("linen").*member);
    EXPECT_LT(preset("linen").*member, preset("denim").*member);
  }
  EXPECT_LT(preset("jersey").weft_stiffness, 0.1 * preset("cotton").weft_stiffness);
  EXPECT_LT(preset("wool").shear_stiffness, preset("denim").shear_stiffness);
}

}  // namespace
}  // namespace heddle
