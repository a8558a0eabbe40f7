// A square draped over a ball must look the same on every mesh.

#include "stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace heddle::test {

namespace {

struct Drape {
  double lowest;       // m
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

Drape drape(const Json& mesh, const Json& changes = Json::object()) {
  Json scene = one_cloth(mesh);
  fabric_of(scene)["density"] = 0.2;
  cloth_of(scene)["translation"] = {0, 0, 0.201};
  scene["obstacles"] = {{{"name", "ball"}, {"shape", {{"type", "sphere"}, {"radius", 0.2}}}}};
  scene["integrator"]["tolerance"] = 1e-3;
  scene.merge_patch(changes);
  Simulation sim = build_scene(scene);
  advance_to_rest(sim, 2e-3, 5);
  Drape result{0, 0, sim.state.time, largest_speed(sim.state)};
  for (const Vec3& x : sim.state.x) result.lowest = std::min(result.lowest, x[2]);
  const double disc = 3.14159265358979 * 0.2 * 0.2;
  result.coefficient = (shadow(sim) - disc) / (1 - disc);
  return result;
}

Drape report(const char* name, const Drape& result) {
  std::printf("| %s | %.4f | %.4f | %.2f | %.1e |\n", name, result.lowest, result.coefficient, result.time,
              result.speed);
  std::fflush(stdout);
  return result;
}

Json grid(int n) { return {{"type", "grid"}, {"resolution", {n, n}}}; }

}  // namespace

TEST(Drape, DoesNotDependOnTheMesh) {
  std::printf("| mesh | lowest point, m | drape coefficient | at rest after, s | fastest, m/s |\n|---|--:|--:|--:|--:|\n");
  std::vector<Drape> results{report("grid 33", drape(grid(33))), report("grid 65", drape(grid(65)))};
  if (full()) {
    results.push_back(report("grid 129", drape(grid(129))));
    results.push_back(report("irregular 0.0156", drape({{"type", "irregular"}, {"edge_length", 0.0156}})));
  }
  const Drape& finest = results[full() ? 2 : 1];
  for (const Drape& result : results) {
    EXPECT_NEAR(result.lowest, finest.lowest, 0.03 * std::abs(finest.lowest));
    EXPECT_NEAR(result.coefficient, finest.coefficient, 0.03 * finest.coefficient);
  }
}

}  // namespace heddle::test
