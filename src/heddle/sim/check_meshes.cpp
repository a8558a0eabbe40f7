#include <heddle/sim/check_meshes.h>

#include <heddle/core/text.h>
#include <heddle/mesh/intersection_count.h>
#include <heddle/mesh/winding_number.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::string point_text(const Vec3& p) {
  return "(" + short_number_text(p[0]) + ", " + short_number_text(p[1]) + ", " + short_number_text(p[2]) +
         ") m";
}

/// A cloth and a mesh obstacle where they start, in one numbering, the cloth first.
struct Encounter {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  int cloth_vertices = 0, cloth_triangles = 0;

  Encounter(const ClothPart& cloth, const MovingSurface& surface, const State& state)
      : triangles(cloth.triangles),
        cloth_vertices(cloth.particle_count),
        cloth_triangles(static_cast<int>(cloth.triangles.size())) {
    const auto first = state.x.begin() + cloth.first_particle;
    positions.assign(first, first + cloth_vertices);
    surface.append_positions(state.time, positions);
    for (const auto& [a, b, c] : surface.triangles)
      triangles.push_back({a + cloth_vertices, b + cloth_vertices, c + cloth_vertices});
  }

  /// Pairs of a triangle of the cloth and one of the obstacle.
  std::int64_t intersections() const {
    const Intersections found = count_intersections(
        positions, triangles,
        {.first_obstacle_triangle = cloth_triangles, .max_pairs = std::numeric_limits<int>::max()});
    return std::count_if(found.pairs.begin(), found.pairs.end(),
                         [&](const std::array<int, 2>& pair) { return pair[1] >= cloth_triangles; });
  }

  int enclosed_vertices() const {
    const auto obstacle = std::span(triangles).subspan(static_cast<size_t>(cloth_triangles));
    std::vector<char> inside(static_cast<size_t>(cloth_vertices), 0);
    parallel_for(cloth_vertices, [&](int i) {
      const auto k = static_cast<size_t>(i);
      inside[k] = std::abs(winding_number(positions[k], positions, obstacle)) > 0.5;
    });
    return std::accumulate(inside.begin(), inside.end(), 0);
  }
};

bool is_attached(const ClothDescription& cloth, const std::string& obstacle) {
  return std::any_of(
      cloth.attachments.begin(), cloth.attachments.end(),
      [&](const AttachmentDescription& attachment) { return attachment.obstacle == obstacle; });
}

void check_encounter(const ClothPart& cloth, const ClothDescription& description,
                     const ObstaclePart& obstacle, const State& state, Diagnostics& out) {
  constexpr const char* kRemedy = "move the cloth or the obstacle until they are apart";
  const Encounter both(cloth, *obstacle.surface, state);
  const std::int64_t crossings = both.intersections();
  const std::string names = "cloth " + in_quotes(cloth.name) + " and obstacle " + in_quotes(obstacle.name);
  if (crossings > 0 && !is_attached(description, obstacle.name))
    out.warning(description.where,
                counted(crossings, "pair") + " of triangles of " + names +
                    " intersect at the start; these are not kept apart",
                kRemedy);
  const int enclosed = crossings > 0 ? 0 : both.enclosed_vertices();
  if (enclosed > 0)
    out.warning(description.where,
                std::to_string(enclosed) + " of " + std::to_string(cloth.particle_count) +
                    " vertices of cloth " + in_quotes(cloth.name) + " start inside obstacle " +
                    in_quotes(obstacle.name) + "; its surface holds on both sides, so they stay inside",
                kRemedy);
}

/// Triangles of all cloths where they start.
struct AllCloths {
  std::vector<Triangle> triangles;
  std::vector<size_t> owner;  // cloth of each triangle

  explicit AllCloths(const Model& model) {
    for (size_t c = 0; c < model.cloths.size(); ++c)
      for (const auto& [i, j, k] : model.cloths[c].triangles) {
        const int first = model.cloths[c].first_particle;
        triangles.push_back({first + i, first + j, first + k});
        owner.push_back(c);
      }
  }
};

}  // namespace

Diagnostics check_crossing_cloths(const Simulation& simulation, const SceneDescription& scene) {
  Diagnostics found;
  if (!simulation.surface_contact || !simulation.surface_contact->scope().self) return found;
  const AllCloths cloths(simulation.model);
  const Intersections all = count_intersections(simulation.state.x, cloths.triangles,
                                                {.max_pairs = std::numeric_limits<int>::max()});
  std::map<std::pair<size_t, size_t>, std::vector<int>> by_cloths;  // first triangle of each pair
  for (const auto& [a, b] : all.pairs) by_cloths[{cloths.owner[at(a)], cloths.owner[at(b)]}].push_back(a);
  for (const auto& [pair, triangles] : by_cloths) {
    const std::string first = in_quotes(simulation.model.cloths[pair.first].name);
    const std::string second = in_quotes(simulation.model.cloths[pair.second].name);
    const Vec3& place = simulation.state.x[at(cloths.triangles[at(triangles.front())][0])];
    found.warning(scene.cloths[pair.second].where,
                  std::to_string(triangles.size()) + " pairs of triangles of cloth " + first +
                      (pair.first == pair.second ? "" : " and cloth " + second) +
                      " intersect at the start, the first near " + point_text(place) +
                      "; they are drawn apart while the cloth moves",
                  pair.first == pair.second ? "mend the mesh, or look at the first frames"
                                            : "move one of the cloths, or look at the first frames");
  }
  return found;
}

Diagnostics check_mesh_obstacles(const Simulation& simulation, const SceneDescription& scene) {
  const Model& model = simulation.model;
  Diagnostics found;
  for (size_t k = 0; k < model.obstacles.size(); ++k) {
    const ObstaclePart& obstacle = model.obstacles[k];
    if (obstacle.shape) continue;
    if (!simulation.surface_contact || !simulation.surface_contact->scope().obstacles)
      found.warning(scene.obstacles[k].where,
                    "cloth may pass through obstacle " + in_quotes(obstacle.name) +
                        ": only contact of surfaces keeps it on its side of a mesh, and that is off",
                    "turn contact of surfaces on, or use a \"shape\"");
    for (size_t c = 0; c < model.cloths.size(); ++c)
      check_encounter(model.cloths[c], scene.cloths[c], obstacle, simulation.state, found);
  }
  return found;
}

}  // namespace heddle
