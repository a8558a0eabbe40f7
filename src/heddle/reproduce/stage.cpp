#include <heddle/reproduce/stage.h>

#include <heddle/mesh/intersection_count.h>
#include <heddle/mesh/measures.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

double seconds(const StepSummary& summary, Stage stage) {
  return summary.seconds[static_cast<size_t>(stage)];
}

/// Adds the squares whose centres a triangle covers, seen from above.
void cast_shadow(const Vec3& a, const Vec3& b, const Vec3& c, double pixel,
                 std::set<std::array<int, 2>>& squares) {
  const auto cross = [](const Vec3& p, const Vec3& q, double x, double y) {
    return (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
  };
  const Vec3 low = a.cwiseMin(b).cwiseMin(c) / pixel, high = a.cwiseMax(b).cwiseMax(c) / pixel;
  for (int i = static_cast<int>(std::floor(low[0])); i <= static_cast<int>(std::floor(high[0])); ++i)
    for (int j = static_cast<int>(std::floor(low[1])); j <= static_cast<int>(std::floor(high[1])); ++j) {
      const double x = (i + 0.5) * pixel, y = (j + 0.5) * pixel;
      const double u = cross(a, b, x, y), v = cross(b, c, x, y), w = cross(c, a, x, y);
      if ((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0)) squares.insert({i, j});
    }
}

void write_tube(const std::filesystem::path& file, std::span<const std::vector<Vec3>> rings) {
  const size_t around = rings.front().size();
  std::ofstream out(file);
  for (const std::vector<Vec3>& ring : rings)
    for (const Vec3& p : ring) out << fmt::format("v {:.5f} {:.5f} {:.5f}\n", p[0], p[1], p[2]);
  for (size_t row = 0; row + 1 < rings.size(); ++row)
    for (size_t i = 0; i < around; ++i) {
      const size_t a = row * around + i + 1, b = row * around + (i + 1) % around + 1;
      out << fmt::format("f {} {} {} {}\n", a, b, b + around, a + around);
    }
}

}  // namespace

Result<Simulation> build_with_tube(const std::string& scene, const std::string& file,
                                   std::span<const std::vector<Vec3>> rings) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      fmt::format("heddle-reproduce-{}", std::chrono::steady_clock::now().time_since_epoch().count());
  std::filesystem::create_directories(folder);
  write_tube(folder / file, rings);
  Result<Simulation> sim = build_text(scene, folder / "scene.json");
  std::filesystem::remove_all(folder);
  return sim;
}

std::vector<Vec3> surface_positions(const Simulation& sim) {
  std::vector<Vec3> positions = sim.state.x;
  if (sim.surface_contact->scope().obstacles)
    for (const ObstaclePart& obstacle : sim.model.obstacles)
      if (obstacle.has_contact_surface()) obstacle.surface->append_positions(sim.state.time, positions);
  return positions;
}

std::int64_t intersections(const Simulation& sim) {
  const CollisionSurface& surface = sim.surface_contact->surface();
  IntersectionOptions options;
  for (const CollisionBodyRange& body : surface.bodies)
    if (body.kinematic)
      options.first_obstacle_triangle = std::min(options.first_obstacle_triangle, body.first_triangle);
  return count_intersections(surface_positions(sim), surface.triangles, options).count;
}

double shadow_area(const Simulation& sim, double pixel) {
  std::set<std::array<int, 2>> squares;
  for (const ClothPart& cloth : sim.model.cloths)
    for (const Triangle& t : cloth.triangles) {
      const auto corner = [&](size_t i) { return sim.state.x[at(cloth.first_particle + t[i])]; };
      cast_shadow(corner(0), corner(1), corner(2), pixel, squares);
    }
  return static_cast<double>(squares.size()) * pixel * pixel;
}

double collision_seconds(const StepSummary& summary) {
  return seconds(summary, Stage::detect) + seconds(summary, Stage::separate);
}

double integration_seconds(const StepSummary& summary) {
  return seconds(summary, Stage::integrate);
}

Diagnostics failed_step(const StepSummary& summary) {
  return failure({}, "the simulation of the experiment failed: " + summary.reason);
}

}  // namespace heddle
