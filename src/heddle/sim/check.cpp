#include <heddle/sim/check.h>

#include <heddle/core/text.h>
#include <heddle/geometry/signed_distance.h>

#include <algorithm>
#include <limits>

namespace heddle {

namespace {

void check_penetration(const ClothPart& cloth, const Obstacle& obstacle, const State& state,
                       Diagnostics& out) {
  const RigidTransform pose = obstacle.motion.at(0);
  int inside = 0;
  double deepest = 0;
  for (int i = cloth.first_particle; i < cloth.first_particle + cloth.particle_count; ++i) {
    const Vec3 local = pose.point_to_local(state.x[static_cast<size_t>(i)]);
    const double distance = signed_distance(obstacle.shape, local).distance;
    inside += distance < 0 ? 1 : 0;
    deepest = std::min(deepest, distance);
  }
  if (inside == 0) return;
  out.warning({},
              std::to_string(inside) + " of " + std::to_string(cloth.particle_count) +
                  " vertices of cloth \"" + cloth.name + "\" start inside obstacle \"" + obstacle.name +
                  "\", the deepest by " + number_text(-deepest) + " m",
              "they are pushed out in the first step; move the cloth or the obstacle apart");
}

double mean_edge_length(const ClothPart& cloth, const State& state) {
  double sum = 0;
  for (const Triangle& t : cloth.triangles) {
    const auto x = corners(
        {cloth.first_particle + t[0], cloth.first_particle + t[1], cloth.first_particle + t[2]}, state);
    sum += (x[1] - x[0]).norm() + (x[2] - x[1]).norm() + (x[0] - x[2]).norm();
  }
  return cloth.triangles.empty() ? 0 : sum / (3.0 * static_cast<double>(cloth.triangles.size()));
}

/// The parameter that makes a shape most sharply curved, and that radius in m.
struct Sharpest {
  const char* parameter = nullptr;
  double radius = std::numeric_limits<double>::infinity();
};

Sharpest sharpest(const ShapeVariant& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return {"radius", sphere->radius};
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return {"radius", capsule->radius};
  if (const auto* box = std::get_if<Box>(&shape)) return {"rounding", box->rounding};
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return {"rounding", cylinder->rounding};
  return {};
}

/// Only vertices are kept out of obstacles, so the faces between them must be small against its curvature.
void check_coarseness(const ClothPart& cloth, double edge_length, const Obstacle& obstacle,
                      Diagnostics& out) {
  const Sharpest found = sharpest(obstacle.shape);
  if (found.radius >= 0.5 * edge_length) return;
  out.warning({},
              "the \"" + std::string(found.parameter) + "\" of obstacle \"" + obstacle.name + "\" is " +
                  number_text(found.radius) + " m, less than half of the mean edge of cloth \"" + cloth.name +
                  "\" (" + short_number_text(edge_length) + " m), so that it can poke through the faces",
              "raise it to " + short_number_text(0.5 * edge_length) + " m, or refine the cloth");
}

}  // namespace

Diagnostics check(const Simulation& simulation) {
  Diagnostics found;
  for (const ClothPart& cloth : simulation.model.cloths) {
    const double edge_length = mean_edge_length(cloth, simulation.state);
    for (const Obstacle& obstacle : simulation.model.obstacles) {
      check_penetration(cloth, obstacle, simulation.state, found);
      check_coarseness(cloth, edge_length, obstacle, found);
    }
  }
  return found;
}

}  // namespace heddle
