#include "stage.h"

#include <heddle/mesh/intersection_count.h>
#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/registry.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace heddle::test {

Json one_cloth(const Json& mesh) {
  return {{"duration", 1},
          {"frame_rate", 100},
          {"fabrics", {{"probe", {{"density", 0.2}}}}},
          {"cloths", {{{"name", "cloth"}, {"mesh", mesh}, {"fabric", "probe"}}}},
          {"integrator",
           {{"type", "semi_implicit_euler"},
            {"time_step", 0.01},
            {"tolerance", 1e-9},
            {"max_iterations", 5000}}}};
}

Json& cloth_of(Json& scene) {
  return scene["cloths"][0];
}
Json& fabric_of(Json& scene) {
  return scene["fabrics"]["probe"];
}

void set_step(Json& scene, double seconds) {
  scene["frame_rate"] = 1 / seconds;
  scene["integrator"]["time_step"] = seconds;
}

Simulation build_scene(const Json& scene) {
  const Catalogue catalogue = make_catalogue();
  const auto give_up = [](const Diagnostics& errors) {
    std::cerr << errors.text() << std::endl;
    std::abort();
  };
  Result<LoadedScene> loaded = load_scene_text(scene.dump(2), "scene.json", catalogue);
  if (!loaded) give_up(loaded.errors());
  Diagnostics warnings;
  Result<Simulation> built = build(loaded->description, catalogue, warnings);
  if (!built) give_up(built.errors());
  return std::move(*built);
}

StepSummary advance_to(Simulation& simulation, double time, const std::function<void()>& after_step) {
  StepSummary all;
  while (simulation.state.time < time - 0.5 * simulation.model.step_length()) {
    all.add(step(simulation));
    if (all.outcome != StepOutcome::accepted) break;
    after_step();
  }
  return all;
}

bool advance_to_rest(Simulation& simulation, double speed, double time) {
  while (simulation.state.time < time) {
    const double next = simulation.state.time + 10 * simulation.model.step_length();
    if (advance_to(simulation, next).outcome != StepOutcome::accepted) return false;
    if (largest_speed(simulation.state) < speed) return true;
  }
  return false;
}

double largest_speed(const State& state) {
  double largest = 0;
  for (const Vec3& v : state.v) largest = std::max(largest, v.norm());
  return largest;
}

Vec3 momentum(const Simulation& simulation) {
  const std::span<const double> mass = simulation.model.system->mass();
  Vec3 sum = Vec3::Zero();
  for (size_t i = 0; i < mass.size(); ++i) sum += mass[i] * simulation.state.v[i];
  return sum;
}

std::int64_t intersections(const Simulation& simulation) {
  std::vector<Triangle> triangles;
  for (const ClothPart& cloth : simulation.model.cloths)
    for (const auto& [i, j, k] : cloth.triangles)
      triangles.push_back({cloth.first_particle + i, cloth.first_particle + j, cloth.first_particle + k});
  return count_intersections(simulation.state.x, triangles).count;
}

std::int64_t all_intersections(const Simulation& sim) {
  const CollisionSurface& surface = sim.surface_contact->surface();
  std::vector<Vec3> x = sim.state.x;
  for (const ObstaclePart& obstacle : sim.model.obstacles)
    obstacle.surface->append_positions(sim.state.time, x);
  const auto faces = static_cast<int>(sim.model.cloths[0].triangles.size());
  return count_intersections(x, surface.triangles, {.first_obstacle_triangle = faces}).count;
}

bool full() {
  const char* value = std::getenv("HEDDLE_FULL");
  return value && *value && std::string(value) != "0";
}

}  // namespace heddle::test
