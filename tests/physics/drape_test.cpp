// A square draped over a ball must look the same on every mesh.

#include "stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace heddle::test {

namespace {

constexpr double kRadius = 0.35;  // m, of the ball

struct Drape {
  double depth;        // m, of the lowest point below the top of the ball
  double coefficient;  // (shadow of the cloth - disc of the ball) / (flat area - disc)
  double time;         // s, until it was at rest or given up
  double speed;        // m/s, at that time
};

/// Area of the shadow on the ground, counted on a raster.
double shadow(const Simulation& sim) {
  constexpr int kPixels = 1000;
  constexpr double kSide = 1.6;
  std::vector<char> covered(static_cast<size_t>(kPixels) * kPixels, 0);
  for (const Triangle& t : sim.model.cloths[0].triangles) {
    Vec2 p[3];
    for (size_t i = 0; i < 3; ++i)
      p[i] = (sim.state.x[static_cast<size_t>(t[i])].head<2>() / kSide + Vec2(0.5, 0.5)) * kPixels;
    const Vec2 low = p[0].cwiseMin(p[1]).cwiseMin(p[2]), high = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
    const auto cross = [](const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; };
    const double area = cross(p[1] - p[0], p[2] - p[0]);
    if (area == 0) continue;
    for (int y = static_cast<int>(low[1]); y <= static_cast<int>(high[1]); ++y)
      for (int x = static_cast<int>(low[0]); x <= static_cast<int>(high[0]); ++x) {
        const Vec2 c(x + 0.5, y + 0.5);
        bool inside = true;
        for (int i = 0; i < 3; ++i) inside &= cross(p[(i + 1) % 3] - p[i], c - p[i]) / area >= 0;
        if (inside) covered[static_cast<size_t>(y) * kPixels + static_cast<size_t>(x)] = 1;
      }
  }
  return static_cast<double>(std::count(covered.begin(), covered.end(), 1)) * std::pow(kSide / kPixels, 2);
}

/// As stiff as thick felt (67 times the fabric `felt`), so that even the coarsest mesh has several cells per
/// fold: a light fabric folds finer than that, and has several shapes in which it may rest.
Drape drape(const Json& mesh, const std::string& bending) {
  Json scene = one_cloth(mesh);
  fabric_of(scene).update({{"density", 0.2},
                           {"weft_stiffness", 1000},
                           {"warp_stiffness", 1000},
                           {"shear_stiffness", 30},
                           {"stretch_damping", 0.02},
                           {"weft_bending", 3e-3},
                           {"warp_bending", 3e-3},
                           {"bending_damping", 0.1}});
  cloth_of(scene)["translation"] = {0, 0, kRadius + 0.001};
  cloth_of(scene)["bending"] = {{"type", bending}};
  scene["obstacles"] = {{{"name", "ball"}, {"shape", {{"type", "sphere"}, {"radius", kRadius}}}}};
  scene["integrator"]["tolerance"] = 1e-3;
  Simulation sim = build_scene(scene);
  advance_to_rest(sim, 2e-3, 4);
  EXPECT_LT(largest_speed(sim.state), 0.01);
  Drape result{0, 0, sim.state.time, largest_speed(sim.state)};
  for (const Vec3& x : sim.state.x) result.depth = std::max(result.depth, kRadius - x[2]);
  const double disc = std::numbers::pi * kRadius * kRadius;
  result.coefficient = (shadow(sim) - disc) / (1 - disc);
  return result;
}

Drape report(const char* name, const Json& mesh, const std::string& bending = "patch") {
  const Drape result = drape(mesh, bending);
  std::printf("| %s | %s | %.4f | %.4f | %.2f | %.1e |\n", name, bending.c_str(), result.depth,
              result.coefficient, result.time, result.speed);
  std::fflush(stdout);
  return result;
}

Json grid(int n) {
  return {{"type", "grid"}, {"resolution", {n, n}}};
}

Json irregular(double edge) {
  return {{"type", "irregular"}, {"edge_length", edge}};
}

void expect_equal(const Drape& a, const Drape& b) {
  EXPECT_NEAR(a.depth, b.depth, 0.03 * b.depth);
  EXPECT_NEAR(a.coefficient, b.coefficient, 0.03 * b.coefficient);
}

}  // namespace

TEST(Drape, DoesNotDependOnTheMesh) {
  std::printf("| mesh | bending | depth, m | drape coefficient | ended after, s | fastest, m/s |\n");
  std::printf("|---|---|--:|--:|--:|--:|\n");
  std::vector<Drape> drapes{report("grid 33", grid(33)), report("grid 65", grid(65)),
                            report("grid 129", grid(129)), report("irregular 0.031", irregular(0.031))};
  if (full()) drapes.push_back(report("irregular 0.0156", irregular(0.0156)));
  for (const Drape& a : drapes)
    for (const Drape& b : drapes) expect_equal(a, b);
  for (const char* model : {"isometric", "hinge"}) {
    if (!full()) break;
    report("grid 65", grid(65), model);
    report("irregular 0.031", irregular(0.031), model);
  }
}

}  // namespace heddle::test
