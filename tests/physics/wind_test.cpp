// Sheets in air against the solutions of a plate across the flow.

#include "stage.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::test {

namespace {

Json sheet_in_air(const Vec3& wind) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.5, 0.5}}, {"resolution", {6, 6}}});
  fabric_of(scene)["density"] = 0.2;
  scene["forces"] = {
      {{"type", "wind"}, {"velocity", {wind[0], wind[1], wind[2]}}, {"air_density", 1.2}, {"drag", 1.3}}};
  return scene;
}

}  // namespace

TEST(Air, FallingSheetReachesTerminalVelocity) {
  Simulation sim = build_scene(sheet_in_air({0, 0, 0}));
  const double terminal = std::sqrt(2 * 0.2 * 9.81 / (1.2 * 1.3));
  advance_to(sim, 2);
  for (const Vec3& v : sim.state.v) EXPECT_NEAR((v - Vec3(0, 0, -terminal)).norm(), 0, 1e-4 * terminal);
}

/// Across the wind the relative speed falls as u0 / (1 + rho C_D u0 t / (2 density)).
TEST(Air, WindCarriesAFreeSheetAlong) {
  Json scene = sheet_in_air({0, 0, 3});
  scene["gravity"] = {0, 0, 0};
  set_step(scene, 0.005);
  Simulation sim = build_scene(scene);
  const double rate = 1.2 * 1.3 * 3 / (2 * 0.2);
  for (double t : {0.1, 0.5, 2.0, 8.0}) {
    advance_to(sim, t);
    const double relative = 3 / (1 + rate * t);
    for (const Vec3& v : sim.state.v) EXPECT_NEAR((v - Vec3(0, 0, 3 - relative)).norm(), 0, 0.03 * relative);
  }
  EXPECT_NEAR(sim.state.v[0][2], 3, 0.04);
}

}  // namespace heddle::test
