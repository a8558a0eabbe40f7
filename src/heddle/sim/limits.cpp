#include <heddle/sim/limits.h>

#include <heddle/core/text.h>
#include <heddle/sim/registry.h>

#include <algorithm>
#include <queue>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// The longest that an edge of a face can be within its bounds, m.
double longest(const StrainBounds& bounds, const Vec2& edge) {
  const double x = std::abs(edge[0]), y = std::abs(edge[1]), shear = bounds.most.shear;
  const double along = (x > 0 ? (1 + bounds.most.weft) * x : 0) + (y > 0 ? shear * y : 0);
  const double across = (y > 0 ? (1 + bounds.most.warp) * y : 0) + (x > 0 ? shear * x : 0);
  return std::hypot(along, across);
}

}  // namespace

StrainBounds strain_bounds(const Fabric& fabric) {
  constexpr double kNone = StrainBounds::kNone;
  const double shear = fabric.shear_limit.value_or(kNone);
  return {{-fabric.weft_compression_limit.value_or(kNone), -fabric.warp_compression_limit.value_or(kNone),
           -shear},
          {fabric.weft_stretch_limit.value_or(kNone), fabric.warp_stretch_limit.value_or(kNone), shear}};
}

void add_limited_faces(const PreparedCloth& cloth, bool all, LimitedFaces& faces) {
  for (int f = 0; f < cloth.mesh.triangle_count(); ++f)
    if (all || cloth.fabric(f).has_limits())
      faces.add(cloth.global(cloth.mesh.triangles[at(f)]), cloth.rest.triangles[at(f)],
                strain_bounds(cloth.fabric(f)));
}

std::unique_ptr<StrainLimiter> make_limiter(const SceneDescription& scene, LimitedFaces faces,
                                            int particle_count, Diagnostics& diagnostics) {
  if (faces.size() == 0) {
    if (scene.limits)
      diagnostics.error(
          scene.limits.where, "no fabric of this scene has strain limits to keep",
          R"(give a fabric "weft_stretch_limit", "warp_stretch_limit" or "shear_limit", or remove "limits")");
    return nullptr;
  }
  faces.finish(particle_count);
  const Entity limits = scene.limits ? scene.limits : default_entity(*limit_registry().front().type);
  auto limiter = limit_entry(limits).build(limits, std::move(faces));
  double least = StrainBounds::kNone;
  if (const LimitedFaces* kept = limiter->faces())
    for (int face = 0; face < kept->size(); ++face) {
      const PlaneStrain& most = kept->bounds(face).most;
      least = std::min({least, most.weft, most.warp, most.shear});
    }
  if (least <= limiter->tolerance())
    diagnostics.error(scene.limits.where,
                      "a strain limit of " + number_text(least) + " is not above the tolerance of " +
                          number_text(limiter->tolerance()) + " to which limits are kept",
                      "raise the limit, or lower \"tolerance\" in \"limits\"");
  return limiter;
}

std::vector<double> reach(const PreparedCloth& cloth, int from) {
  const auto n = cloth.mesh.positions.size();
  std::vector<std::vector<std::pair<int, double>>> edges(n);
  for (int f = 0; f < cloth.mesh.triangle_count(); ++f) {
    const Triangle& t = cloth.mesh.triangles[at(f)];
    const StrainBounds bounds = strain_bounds(cloth.fabric(f));
    for (size_t k = 0; k < 3; ++k) {
      const size_t next = (k + 1) % 3;
      const double length =
          longest(bounds, cloth.rest.triangles[at(f)][next] - cloth.rest.triangles[at(f)][k]);
      edges[at(t[k])].emplace_back(t[next], length);
      edges[at(t[next])].emplace_back(t[k], length);
    }
  }
  std::vector<double> distance(n, StrainBounds::kNone);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.emplace(distance[at(from)] = 0, from);
  while (!queue.empty()) {
    const auto [length, vertex] = queue.top();
    queue.pop();
    if (length > distance[at(vertex)]) continue;
    for (const auto& [other, edge] : edges[at(vertex)])
      if (length + edge < distance[at(other)]) queue.emplace(distance[at(other)] = length + edge, other);
  }
  return distance;
}

void check_limits(const Simulation& simulation, const SceneDescription& scene, Diagnostics& found) {
  const LimitedFaces* faces = simulation.limiter ? simulation.limiter->faces() : nullptr;
  if (!faces) return;
  const LimitedFaces::Worst worst = faces->worst(simulation.state.x);
  if (worst.excess <= simulation.limiter->tolerance()) return;
  const int particle = faces->nodes(worst.face)[0];
  for (size_t c = 0; c < simulation.model.cloths.size(); ++c) {
    const ClothPart& cloth = simulation.model.cloths[c];
    if (particle < cloth.first_particle || particle >= cloth.first_particle + cloth.particle_count) continue;
    found.warning(scene.cloths[c].where,
                  "cloth " + in_quotes(cloth.name) + " starts " + short_number_text(worst.excess) +
                      " beyond its strain limits: it will be drawn back at once",
                  "start it nearer to its rest shape, or raise the limits of its fabric");
  }
}

}  // namespace heddle
