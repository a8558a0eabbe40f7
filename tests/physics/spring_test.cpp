// Whole sheets of springs against the continuum that they stand for.

#include "stage.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::test {

namespace {

Json spring_sheet(int vertices, const Json& membrane, const Json& bending) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.5, 0.5}}, {"resolution", {vertices, vertices}}});
  cloth_of(scene)["membrane"] = membrane;
  cloth_of(scene)["bending"] = bending;
  scene["contact"] = {{"type", "impulses"}, {"self", false}};
  return scene;
}

double term_energy(const Simulation& sim, const std::string& name) {
  for (const auto& term : sim.model.system->terms())
    if (term->name() == name) return term->energy(configuration_of(sim.state));
  ADD_FAILURE() << "no term " << name;
  return 0;
}

/// Moves every vertex of the sheet, which lies in the plane z = 0.
template <class Map>
Simulation deformed(const Json& scene, const Map& map) {
  Simulation sim = build_scene(scene);
  for (Vec3& x : sim.state.x) x = map(x);
  return sim;
}

constexpr double kArea = 0.25;  // m2

double total_energy(const Simulation& sim) {
  const Configuration q = configuration_of(sim.state);
  return sim.model.system->kinetic_energy(q) + sim.model.system->potential_energy(q);
}

}  // namespace

/// Without values of their own the springs have the stiffness of the fabric; border springs count in full.
TEST(SpringSheet, HasTheStiffnessOfTheFabric) {
  for (const char* type : {"choi_ko", "provot"}) {
    Json scene = spring_sheet(21, {{"type", type}}, {{"type", "none"}});
    cloth_of(scene)["mesh"]["resolution"] = {21, 31};  // cells that are not square
    fabric_of(scene)["weft_stiffness"] = 500;
    fabric_of(scene)["warp_stiffness"] = 900;
    fabric_of(scene)["shear_stiffness"] = 70;
    constexpr double kStrain = 1e-3;
    const Simulation along_weft =
        deformed(scene, [](const Vec3& x) { return Vec3(x[0] * (1 + kStrain), x[1], 0); });
    EXPECT_NEAR(term_energy(along_weft, "stretch_springs"), 0.5 * 500 * kStrain * kStrain * kArea * 31 / 30,
                1e-9);
    const Simulation along_warp =
        deformed(scene, [](const Vec3& x) { return Vec3(x[0], x[1] * (1 + kStrain), 0); });
    EXPECT_NEAR(term_energy(along_warp, "stretch_springs"), 0.5 * 900 * kStrain * kStrain * kArea * 21 / 20,
                1e-9);
    const Simulation sheared =
        deformed(scene, [](const Vec3& x) { return Vec3(x[0] + kStrain * x[1], x[1], 0); });
    // Half of the diagonals grow shorter, which springs that only pull do not notice.
    const double share = std::string(type) == "choi_ko" ? 0.5 : 1;
    const double expected = share * 0.5 * 70 * kStrain * kStrain * kArea;
    EXPECT_NEAR(term_energy(sheared, "shear_springs"), expected, 2e-3 * expected);
  }
}

/// Rolled on a cylinder, the sheet has the energy B kappa^2 / 2 per area.
TEST(SpringSheet, BucklingSpringsHaveTheBendingOfTheFabric) {
  Json scene = spring_sheet(41, {{"type", "choi_ko"}}, {{"type", "buckling"}});
  fabric_of(scene)["weft_bending"] = 3e-5;
  fabric_of(scene)["warp_bending"] = 3e-5;
  // Stiff enough that springs buckle at once; with the stiffness of the fabric a roll of 0.3 m has 17 % less.
  cloth_of(scene)["bending"]["linear_stiffness"] = 1e5;
  for (const double radius : {0.05, 0.1, 0.3}) {
    const Simulation rolled = deformed(scene, [&](const Vec3& x) {
      return Vec3(radius * std::sin(x[0] / radius), x[1], radius * (1 - std::cos(x[0] / radius)));
    });
    const double expected = 0.5 * 3e-5 / (radius * radius) * kArea;
    EXPECT_NEAR(term_energy(rolled, "bend_springs"), expected, 0.08 * expected) << radius;
  }
}

/// Under its own weight along x a bar grows longer by density g L^2 / (2 k).
TEST(SpringSheet, HangingTrussGrowsLongerAsTheBarDoes) {
  Json scene =
      one_cloth({{"type", "ribbon"}, {"length", 1}, {"width", 0.05}, {"segments", 40}, {"across", 1}});
  cloth_of(scene)["membrane"] = {
      {"type", "provot"}, {"stretch_stiffness", 60}, {"shear_stiffness", 0}, {"stretch_damping", 20}};
  cloth_of(scene)["bending"] = {{"type", "none"}};
  cloth_of(scene)["pins"] = {{{"vertices", {{"uv_box", {{-0.5, -0.1}, {-0.5, 0.1}}}}}}};
  scene["gravity"] = {9.81, 0, 0};
  scene["contact"] = {{"type", "impulses"}, {"self", false}};
  Simulation sim = build_scene(scene);
  EXPECT_TRUE(advance_to_rest(sim, 1e-4, 5));
  double end = 0;
  for (const Vec3& x : sim.state.x) end = std::max(end, x[0]);
  // Two rows of springs of k h carry the mass per length.
  const double expected = 0.2 * 0.05 * 9.81 / (2 * 2 * 60 * 0.025);
  EXPECT_NEAR(end - 0.5, expected, 0.03 * expected);
}

// Boxerman 2003, 4.2.4: free dampers take the energy of falling and swinging, projected ones a hundred times
// as strong do not.
TEST(SpringSheet, FreeDampersSlowTheFallAndProjectedOnesDoNot) {
  const auto lost_energy = [](const char* damper, double damping) {
    Json scene = spring_sheet(15,
                              {{"type", "choi_ko"},
                               {"stretch_stiffness", 1000},
                               {"shear_stiffness", 1000},
                               {"stretch_damping", damping},
                               {"shear_damping", damping},
                               {"damper", damper}},
                              {{"type", "buckling"}, {"stiffness", 0.01}});
    cloth_of(scene)["pins"] = {{{"vertices", {{"nearest", {{-0.25, 0.25, 0}, {0.25, 0.25, 0}}}}}}};
    fabric_of(scene)["density"] = 0.5;
    Simulation sim = build_scene(scene);
    const double before = total_energy(sim);
    advance_to(sim, 0.3);
    return before - total_energy(sim);
  };
  const double none = lost_energy("projected", 0), projected = lost_energy("projected", 10),
               free = lost_energy("free", 0.1);
  EXPECT_GT(free - none, 0.5 * none);
  EXPECT_LT(projected - none, 0.4 * (free - none));
}

/// The speed at which weight and drag balance, on two meshes.
TEST(Drag, FallingSheetReachesItsTerminalVelocityOnAnyMesh) {
  for (const int vertices : {4, 9}) {
    Json scene = one_cloth({{"type", "grid"}, {"size", {0.5, 0.5}}, {"resolution", {vertices, vertices}}});
    scene["forces"] = {{{"type", "drag"}, {"area_damping", 1.6}, {"velocity", {0.3, 0, 0}}}};
    Simulation sim = build_scene(scene);
    advance_to(sim, 2.5);
    const Vec3 expected(0.3, 0, -0.2 * 9.81 / 1.6);
    for (const Vec3& v : sim.state.v) EXPECT_NEAR((v - expected).norm(), 0, 1e-5);
  }
}

/// Per vertex it depends on the mesh: n vertices of c each hold the mass.
TEST(Drag, PerVertexGrowsWithTheirNumber) {
  const auto speed = [](int vertices) {
    Json scene = one_cloth({{"type", "grid"}, {"size", {0.5, 0.5}}, {"resolution", {vertices, vertices}}});
    scene["forces"] = {{{"type", "drag"}, {"damping", 0.02}}};
    Simulation sim = build_scene(scene);
    advance_to(sim, 2.5);
    Vec3 sum = Vec3::Zero();
    for (const Vec3& v : sim.state.v) sum += v;
    return -sum[2] / (vertices * vertices);
  };
  EXPECT_NEAR(speed(4), 0.05 * 9.81 / (16 * 0.02), 1e-3);
  EXPECT_NEAR(speed(7), 0.05 * 9.81 / (49 * 0.02), 1e-3);
}

}  // namespace heddle::test
