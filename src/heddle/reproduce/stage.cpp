#include <heddle/reproduce/stage.h>

#include <heddle/mesh/intersection_count.h>
#include <heddle/mesh/measures.h>

#include <algorithm>
#include <cmath>
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

}  // namespace

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
