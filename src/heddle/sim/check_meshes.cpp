#include <heddle/sim/check_meshes.h>

#include <heddle/contact/untangle.h>
#include <heddle/mesh/intersection_count.h>
#include <heddle/mesh/nearest_face.h>
#include <heddle/mesh/winding_number.h>
#include <heddle/parallel/parallel.h>
#include <heddle/sim/place_text.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Without what is listed more than once, which would seem to enclose twice as much.
std::vector<Triangle> different(std::span<const Triangle> triangles) {
  std::set<Triangle> seen;
  std::vector<Triangle> kept;
  for (const Triangle& t : triangles) {
    Triangle ascending = t;
    std::sort(ascending.begin(), ascending.end());
    if (seen.insert(ascending).second) kept.push_back(t);
  }
  return kept;
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
  std::vector<std::array<int, 2>> intersections() const {
    Intersections found = count_intersections(
        positions, triangles,
        {.first_obstacle_triangle = cloth_triangles, .max_pairs = std::numeric_limits<int>::max()});
    std::erase_if(found.pairs, [&](const std::array<int, 2>& pair) { return pair[1] < cloth_triangles; });
    return std::move(found.pairs);
  }

  /// Of the cloth.
  std::vector<int> enclosed_vertices() const {
    const std::vector<Triangle> obstacle = different(std::span(triangles).subspan(at(cloth_triangles)));
    std::vector<char> inside(at(cloth_vertices), 0);
    parallel_for(cloth_vertices, [&](int i) {
      inside[at(i)] = std::abs(winding_number(positions[at(i)], positions, obstacle)) > 0.5;
    });
    std::vector<int> enclosed;
    for (int i = 0; i < cloth_vertices; ++i)
      if (inside[at(i)]) enclosed.push_back(i);
    return enclosed;
  }
};

void check_encounter(const ClothPart& cloth, const ClothDescription& description,
                     const ObstaclePart& obstacle, const State& state, Diagnostics& out) {
  constexpr const char* kRemedy = "move the cloth or the obstacle until they are apart";
  const Encounter both(cloth, *obstacle.surface, state);
  const auto crossings = both.intersections();
  const std::string names = "cloth " + in_quotes(cloth.name) + " and obstacle " + in_quotes(obstacle.name);
  if (!crossings.empty() && !description.is_attached_to(obstacle.name))
    out.warning(description.where,
                counted(std::ssize(crossings), "pair") + " of triangles of " + names +
                    " intersect at the start, the first near " +
                    place_text(both.positions[at(both.triangles[at(crossings.front()[0])][0])]) +
                    "; they are drawn apart while the cloth moves",
                kRemedy);
  const std::vector<int> enclosed = crossings.empty() ? both.enclosed_vertices() : std::vector<int>();
  if (!enclosed.empty())
    out.warning(description.where,
                std::to_string(enclosed.size()) + " of " + std::to_string(cloth.particle_count) +
                    " vertices of cloth " + in_quotes(cloth.name) + " start inside obstacle " +
                    in_quotes(obstacle.name) + ", the first at " +
                    place_text(both.positions[at(enclosed.front())]) +
                    "; its surface holds on both sides, so they stay inside",
                kRemedy);
}

CollisionSurface surface_of_cloths(const Model& model) {
  std::vector<CollisionBody> bodies;
  for (const ClothPart& cloth : model.cloths)
    bodies.push_back({.vertex_count = cloth.particle_count, .triangles = cloth.triangles});
  return make_collision_surface(bodies);
}

/// What happens to some pairs of intersecting triangles.
std::string fate_text(std::span<const std::array<int, 2>> pairs, const Untangler& untangler,
                      bool is_one_cloth) {
  const auto lost = std::count_if(pairs.begin(), pairs.end(),
                                  [&](const std::array<int, 2>& pair) { return !untangler.helps(pair); });
  if (lost == 0)
    return is_one_cloth ? "; they are drawn apart while the cloth moves if its sides can be told"
                        : "; they are drawn apart while the cloth moves";
  return "; " + std::to_string(lost) +
         " of them stay, because the cloth passes through itself in too many places to tell its sides";
}

/// How far the boxes around two cloths are apart along the axes, m.
double boxes_apart(const ClothPart& one, const ClothPart& other, std::span<const Vec3> x) {
  const auto box = [&](const ClothPart& cloth) {
    Vec3 low = x[at(cloth.first_particle)], high = low;
    for (const Vec3& p : x.subspan(at(cloth.first_particle), at(cloth.particle_count))) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    return std::pair(low, high);
  };
  const auto a = box(one), b = box(other);
  return std::max((a.first - b.second).maxCoeff(), (b.first - a.second).maxCoeff());
}

struct NearVertex {
  int particle = -1;
  double distance = std::numeric_limits<double>::infinity();  // m
};

/// The vertex of `one` that is nearest to `other`.
NearVertex nearest_vertex(const ClothPart& one, const ClothPart& other, std::span<const Vec3> x) {
  std::vector<int> faces(other.triangles.size());
  std::iota(faces.begin(), faces.end(), 0);
  const NearestFace finder(x.subspan(at(other.first_particle), at(other.particle_count)), other.triangles,
                           std::move(faces));
  std::vector<double> distances(at(one.particle_count));
  parallel_for(one.particle_count, [&](int i) {
    distances[at(i)] = finder.find(x[at(one.first_particle + i)]).proximity.distance;
  });
  const auto least = std::min_element(distances.begin(), distances.end());
  return {one.first_particle + static_cast<int>(least - distances.begin()), *least};
}

/// Contact presses what starts far within its thickness apart, in many short pieces of the first steps.
void check_distance(const ClothPart& one, const ClothPart& other, const State& state,
                    const SourceLocation& where, Diagnostics& out) {
  constexpr double kBearable = 0.5;  // of the thickness
  const double thickness = 0.5 * (one.thickness + other.thickness);
  if (boxes_apart(one, other, state.x) >= kBearable * thickness) return;
  NearVertex near = nearest_vertex(one, other, state.x);
  if (const NearVertex back = nearest_vertex(other, one, state.x); back.distance < near.distance) near = back;
  if (near.distance >= kBearable * thickness) return;
  out.warning(where,
              "cloth " + in_quotes(one.name) + " and cloth " + in_quotes(other.name) + " start " +
                  short_number_text(near.distance) + " m apart near " +
                  place_text(state.x[at(near.particle)]) + ", far less than their thickness of " +
                  short_number_text(thickness) + " m; the first steps press them apart and may take long",
              "move one of the cloths, or lower the \"thickness\" of their fabrics");
}

}  // namespace

Diagnostics check_crossing_cloths(const Simulation& simulation, const SceneDescription& scene) {
  Diagnostics found;
  if (!simulation.surface_contact || !simulation.surface_contact->scope().self) return found;
  const CollisionSurface cloths = surface_of_cloths(simulation.model);
  const Intersections all = count_intersections(simulation.state.x, cloths.triangles,
                                                {.max_pairs = std::numeric_limits<int>::max()});
  Untangler untangler(cloths);
  untangler.look(simulation.state.x, all.pairs);
  std::map<std::pair<size_t, size_t>, std::vector<std::array<int, 2>>> by_cloths;
  for (const auto& pair : all.pairs)
    by_cloths[{at(cloths.triangle_body[at(pair[0])]), at(cloths.triangle_body[at(pair[1])])}].push_back(pair);
  for (const auto& [pair, triangles] : by_cloths) {
    const std::string first = in_quotes(simulation.model.cloths[pair.first].name);
    const std::string second = in_quotes(simulation.model.cloths[pair.second].name);
    const Vec3& place = simulation.state.x[at(cloths.triangles[at(triangles.front()[0])][0])];
    found.warning(scene.cloths[pair.second].where,
                  std::to_string(triangles.size()) + " pairs of triangles of cloth " + first +
                      (pair.first == pair.second ? "" : " and cloth " + second) +
                      " intersect at the start, the first near " + place_text(place) +
                      fate_text(triangles, untangler, pair.first == pair.second),
                  pair.first == pair.second ? "mend the mesh, or look at the first frames"
                                            : "move one of the cloths, or look at the first frames");
  }
  for (size_t b = 1; b < simulation.model.cloths.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      if (!by_cloths.contains({a, b}))
        check_distance(simulation.model.cloths[a], simulation.model.cloths[b], simulation.state,
                       scene.cloths[b].where, found);
  return found;
}

Diagnostics check_mesh_obstacles(const Simulation& simulation, const SceneDescription& scene) {
  const Model& model = simulation.model;
  Diagnostics found;
  for (size_t k = 0; k < model.obstacles.size(); ++k) {
    const ObstaclePart& obstacle = model.obstacles[k];
    if (obstacle.shape || simulation.state.x.empty()) continue;
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
