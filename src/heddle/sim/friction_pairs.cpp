#include <heddle/sim/friction_pairs.h>

#include <algorithm>

namespace heddle {

namespace {

bool is_obstacle(const SceneDescription& scene, const std::string& name) {
  return std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                     [&](const ObstacleDescription& obstacle) { return obstacle.name == name; });
}

bool is_same_pair(const FrictionDescription& a, const FrictionDescription& b) {
  return a.between.size() == 2 &&
         std::is_permutation(a.between.begin(), a.between.end(), b.between.begin(), b.between.end());
}

/// Empty if nothing is made of it.
std::optional<int> material_number(const Model& model, const std::string& name) {
  for (size_t k = 0; k < model.obstacles.size(); ++k)
    if (model.obstacles[k].name == name) return static_cast<int>(k);
  for (size_t k = 0; k < model.materials.size(); ++k)
    if (model.materials[k].name == name) return friction_material_of_fabric(model, static_cast<int>(k));
  return std::nullopt;
}

}  // namespace

FrictionTable make_friction_table(const SceneDescription& scene, const Model& model) {
  FrictionTable table;
  for (const FrictionDescription& pair : scene.frictions) {
    const auto a = material_number(model, pair.between[0]), b = material_number(model, pair.between[1]);
    if (a && b) table.set(*a, *b, {pair.stiction * pair.friction, pair.friction});
  }
  return table;
}

void check_frictions(const SceneDescription& scene, const FabricLibrary& fabrics, Diagnostics& diagnostics) {
  std::vector<std::string> known = fabrics.names();
  for (const ObstacleDescription& obstacle : scene.obstacles) known.push_back(obstacle.name);
  for (const FrictionDescription& pair : scene.frictions) {
    for (const std::string& name : pair.between) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string nearest = nearest_name(name, known);
      diagnostics.error(
          pair.where, "there is no fabric or obstacle " + in_quotes(name),
          nearest.empty() ? "expected " + quoted_list(known) : "did you mean " + in_quotes(nearest) + "?");
    }
    if (pair.between.size() == 2 && is_obstacle(scene, pair.between[0]) &&
        is_obstacle(scene, pair.between[1]))
      diagnostics.error(pair.where, "obstacles have no friction with each other",
                        "name two fabrics, or a fabric and an obstacle");
    if (std::any_of(scene.frictions.data(), &pair,
                    [&](const FrictionDescription& other) { return is_same_pair(pair, other); }))
      diagnostics.error(pair.where,
                        "the friction between " + in_quotes(pair.between[0]) + " and " +
                            in_quotes(pair.between[1]) + " was given before",
                        "keep one of them");
  }
}

}  // namespace heddle
