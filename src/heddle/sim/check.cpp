#include <heddle/sim/check.h>

#include <heddle/core/text.h>
#include <heddle/geometry/signed_distance.h>

#include <algorithm>

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

}  // namespace

Diagnostics check(const Simulation& simulation) {
  Diagnostics found;
  for (const ClothPart& cloth : simulation.model.cloths)
    for (const Obstacle& obstacle : simulation.model.obstacles)
      check_penetration(cloth, obstacle, simulation.state, found);
  return found;
}

}  // namespace heddle
