// Membranes in equilibrium against exact solutions.

#include "stage.h"

#include <heddle/core/random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace heddle::test {

namespace {

constexpr double kGravity = 9.81;

/// Stretch of a St. Venant-Kirchhoff bar that carries the nominal stress `load`: stiffness l (l^2 - 1)/2 =
/// load.
double stretch_under(double load, double stiffness) {
  double l = 1;
  for (int i = 0; i < 50; ++i)
    l -= (0.5 * stiffness * l * (l * l - 1) - load) / (0.5 * stiffness * (3 * l * l - 1));
  return l;
}

struct Hanging {
  double elongation_error;  // of the whole length, relative to the exact elongation
  double strain_error;      // largest difference of the Green strain in mid-width, absolute
};

Hanging hang_sheet(int cells) {
  constexpr double kLength = 1, kStiffness = 60, kDensity = 0.2;
  Json scene = one_cloth({{"type", "grid"},
                          {"size", {0.2, kLength}},
                          {"resolution", {cells / 5 + 1, cells + 1}},
                          {"diagonals", "cross"}});
  fabric_of(scene).update({{"warp_stiffness", kStiffness},
                           {"weft_stiffness", kStiffness},
                           {"poisson", 0},
                           {"shear_stiffness", kStiffness / 2},
                           {"stretch_damping", 0.05}});
  cloth_of(scene)["rotation"] = {90, 0, 0};
  cloth_of(scene)["pins"] = {{{"vertices", {{"uv_box", {{-1, 0.5}, {1, 0.5}}}}}}};
  set_step(scene, 0.05);
  Simulation sim = build_scene(scene);
  EXPECT_TRUE(advance_to_rest(sim, 1e-9, 30));

  const auto load = [&](double from_top) { return kDensity * kGravity * (kLength - from_top); };
  double exact = 0;
  constexpr int kSlices = 1000;
  for (int i = 0; i < kSlices; ++i)
    exact += (stretch_under(load((i + 0.5) / kSlices), kStiffness) - 1) / kSlices;
  double lowest = 0, strain_error = 0;
  for (const Vec3& x : sim.state.x) lowest = std::min(lowest, x[2]);
  const ClothPart& part = sim.model.cloths[0];
  for (size_t e = 0; e < part.triangles.size(); ++e) {
    double v = 0;
    for (int i : part.triangles[e]) v += part.uv[static_cast<size_t>(i)][1] / 3;
    const double l = stretch_under(load(0.5 * kLength - v), kStiffness);
    const double strain = part.gauge.strain(static_cast<int>(e), sim.state.x).warp;
    strain_error = std::max(strain_error, std::abs(strain - 0.5 * (l * l - 1)));
  }
  return {(-lowest - 0.5 * kLength - exact) / exact, strain_error};
}

}  // namespace

TEST(HangingSheet, StrainFollowsTheBarUnderItsOwnWeight) {
  std::printf("| cells along | error of the elongation | largest error of the strain |\n|--:|--:|--:|\n");
  std::vector<Hanging> results;
  for (int cells : {10, 20, 40}) {
    results.push_back(hang_sheet(cells));
    std::printf("| %d | %.2e | %.2e |\n", cells, results.back().elongation_error,
                results.back().strain_error);
  }
  EXPECT_LT(std::abs(results[2].elongation_error), 1e-3);
  EXPECT_LT(std::abs(results[2].elongation_error), 0.5 * std::abs(results[1].elongation_error));
  EXPECT_LT(results[2].strain_error, 0.6 * results[1].strain_error);
}

class PatchTest : public testing::TestWithParam<double> {};

/// A border moved by a linear map must strain every triangle inside by that map, whatever the mesh.
TEST_P(PatchTest, HomogeneousDeformationIsExact) {
  const double angle = GetParam() * std::numbers::pi / 180;
  Json scene = one_cloth({{"type", "irregular"}, {"size", {0.4, 0.3}}, {"edge_length", 0.05}});
  scene["gravity"] = {0, 0, 0};
  fabric_of(scene).update({{"weft_stiffness", 900}, {"warp_stiffness", 400}, {"poisson", 0.25}});
  cloth_of(scene)["weft_angle"] = GetParam();
  const State start = build_scene(scene).state;
  const Mat2 F{{1.08, 0.03}, {-0.02, 1.04}};
  Json pins = Json::array();
  for (int i = 0; i < start.particle_count(); ++i) {
    const Vec3& x = start.x[static_cast<size_t>(i)];
    if (std::abs(std::abs(x[0]) - 0.2) > 1e-9 && std::abs(std::abs(x[1]) - 0.15) > 1e-9) continue;
    const Vec2 move = F * x.head<2>() - x.head<2>();
    pins.push_back(
        {{"vertices", {{"indices", {i}}}},
         {"motion",
          {{"translation", {{"times", {0, 0.5}}, {"values", {{0, 0, 0}, {move[0], move[1], 0}}}}}}}});
  }
  cloth_of(scene)["pins"] = pins;
  Simulation sim = build_scene(scene);
  advance_to(sim, 0.5);
  Random random(3);
  for (Vec3& x : sim.state.x) x += 1e-3 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0);
  ASSERT_TRUE(advance_to_rest(sim, 1e-10, 20));

  const Mat2 E = 0.5 * (F.transpose() * F - Mat2::Identity());
  const Vec2 weft(std::cos(angle), std::sin(angle)), warp(-std::sin(angle), std::cos(angle));
  const double Eww = weft.dot(E * weft), Epp = warp.dot(E * warp), Ewp = weft.dot(E * warp);
  const ClothPart& part = sim.model.cloths[0];
  double error = 0;
  for (int face = 0; face < part.gauge.face_count(); ++face) {
    const FaceStrain strain = part.gauge.strain(face, sim.state.x);
    error = std::max(
        {error, std::abs(strain.weft - Eww), std::abs(strain.warp - Epp), std::abs(strain.shear - Ewp)});
  }
  EXPECT_LT(error, 1e-7);
  // Orthotropic law with nu12 = 0.25, nu21 = nu12 E2/E1, in the frame of the yarns.
  const double factor = 1 / (1 - 0.25 * 0.25 * 400 / 900), area = 0.4 * 0.3;
  const double energy =
      0.5 * area * factor * (900 * Eww * Eww + 400 * Epp * Epp + 2 * 0.25 * 400 * Eww * Epp) +
      0.5 * area * 4 * fabric_of(scene).value("shear_stiffness", 60.0) * Ewp * Ewp;
  EXPECT_NEAR(sim.model.system->potential_energy(configuration_of(sim.state)), energy, 1e-5 * energy);
}

INSTANTIATE_TEST_SUITE_P(WeftAngle, PatchTest, testing::Values(0.0, 30.0, 75.0));

}  // namespace heddle::test
