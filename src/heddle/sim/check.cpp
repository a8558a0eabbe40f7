#include <heddle/sim/check.h>

#include <heddle/core/text.h>
#include <heddle/geometry/signed_distance.h>
#include <heddle/sim/cover.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// A cloth or an obstacle as it is built, and as the scene describes it.
template <class Built, class Described>
struct Both {
  const Built& built;
  const Described& described;
};
using BothCloth = Both<ClothPart, ClothDescription>;
using BothObstacle = Both<Obstacle, ObstacleDescription>;

std::vector<char> held_at_start(const Simulation& simulation) {
  VelocityFilter filter(simulation.state.particle_count());
  simulation.model.system->constrain(simulation.state, simulation.model.step_length(), filter);
  std::vector<char> held(simulation.state.x.size(), 0);
  for (int particle : filter.fixed_particles()) held[at(particle)] = 1;
  return held;
}

/// What contact does to the vertices that start inside an obstacle.
struct PushOut {
  int count = 0;
  double deepest = 0;      // m
  std::vector<Vec3> ends;  // of all vertices of the cloth, m
};

PushOut push_out(const ClothPart& cloth, const Obstacle& obstacle, const State& state,
                 const std::vector<char>& held) {
  const RigidTransform pose = obstacle.motion.at(0);
  PushOut result;
  for (int i = cloth.first_particle; i < cloth.first_particle + cloth.particle_count; ++i) {
    result.ends.push_back(state.x[at(i)]);
    const Vec3 local = pose.point_to_local(state.x[at(i)]);
    const SurfacePoint surface = signed_distance(obstacle.shape, local);
    if (held[at(i)] || surface.distance >= 0) continue;
    ++result.count;
    result.deepest = std::max(result.deepest, -surface.distance);
    result.ends.back() = pose.point(local - surface.distance * surface.normal);
  }
  return result;
}

/// The most that an edge grows if the vertices go to `ends`: its length after over that before.
double largest_stretch(const ClothPart& cloth, const State& state, const std::vector<Vec3>& ends) {
  double largest = 1;
  for (const Triangle& t : cloth.triangles)
    for (size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      const double before =
          (state.x[at(cloth.first_particle + b)] - state.x[at(cloth.first_particle + a)]).norm();
      largest = std::max(largest, (ends[at(b)] - ends[at(a)]).norm() / before);
    }
  return largest;
}

/// Held vertices stay where they are held; the others leave by the nearest way.
void check_penetration(const BothCloth& cloth, const BothObstacle& obstacle, const State& state,
                       const std::vector<char>& held, Diagnostics& out) {
  constexpr double kBearable = 1.25;  // on balls of 0.2 and 0.6 m steps survived 1.20 and failed from 1.28 on
  const PushOut found = push_out(cloth.built, obstacle.built, state, held);
  if (found.count == 0) return;
  const double stretch = largest_stretch(cloth.built, state, found.ends);
  const std::string grown = short_number_text(stretch) + " times their length";
  const std::string message =
      std::to_string(found.count) + " of " + std::to_string(cloth.built.particle_count) +
      " vertices of cloth " + in_quotes(cloth.built.name) + " start inside obstacle " +
      in_quotes(obstacle.built.name) + ", the deepest by " + short_number_text(found.deepest) + " m; ";
  out.warning(
      cloth.described.where,
      message + (stretch > kBearable ? "pushing them out would stretch edges to " + grown +
                                           ", and the first step will probably fail"
                                     : "the first step pushes them out and stretches edges to " + grown),
      "move the cloth or the obstacle until they are apart");
}

bool is_attached(const ClothDescription& cloth, const std::string& obstacle) {
  return std::any_of(
      cloth.attachments.begin(), cloth.attachments.end(),
      [&](const AttachmentDescription& attachment) { return attachment.obstacle == obstacle; });
}

std::string said_of(const Bend& bend, const std::string& obstacle) {
  if (bend.kind == Bend::Kind::body)
    return "obstacle " + in_quotes(obstacle) + " with its radius of " + number_text(bend.radius) + " m";
  return "the rim of obstacle " + in_quotes(obstacle) + " with its \"rounding\" of " +
         number_text(bend.radius) + " m";
}

/// Only what can be done: a rounding that fits, a mesh of reasonable size, a thickness a fabric may have.
std::string remedy_for(const Bend& bend, const Cover& cloth) {
  constexpr double kFinest = 0.1;  // of the edges there are: a hundred times the triangles
  const double radius = radius_that_covers(bend, cloth), edge = edge_that_covers(bend, cloth),
               thickness = thickness_that_covers(bend, cloth);
  std::vector<std::string> ways;
  if (radius <= bend.available) ways.push_back("raise it to " + short_number_text(radius) + " m");
  if (edge >= kFinest * cloth.edge)
    ways.push_back("refine the cloth to edges of " + short_number_text(edge) + " m");
  if (thickness <= description_of<Fabric>().find("thickness")->options.maximum)
    ways.push_back("give its fabric a thickness of " + short_number_text(thickness) + " m");
  if (ways.empty()) ways.push_back("make the obstacle larger, or the edges of the cloth shorter");
  std::string text;
  for (const std::string& way : ways) text += (text.empty() ? "" : ", or ") + way;
  return text;
}

/// A cloth that is sewn to the obstacle hangs from it and is not judged.
void check_cover(const BothCloth& cloth, const BothObstacle& obstacle, Diagnostics& out) {
  if (is_attached(cloth.described, obstacle.built.name)) return;
  const double edge = cloth.built.edge_length;
  const Cover cover{edge, 2 * (cloth.built.clearance - kEdgeShare * edge)};
  for (const Bend& bend : bends_of(obstacle.built.shape)) {
    if (!shows(bend, cover)) continue;
    const double by = sag(bend, edge, cover.clearance()) - cover.clearance();
    out.warning(obstacle.described.shape.where,
                said_of(bend, obstacle.built.name) + " will show through cloth " +
                    in_quotes(cloth.built.name) + " by up to " + short_number_text(by) +
                    " m: the edges of the cloth are " + short_number_text(edge) +
                    " m long on average, and only vertices are kept out",
                remedy_for(bend, cover));
  }
}

}  // namespace

Diagnostics check(const Simulation& simulation, const SceneDescription& scene) {
  const Model& model = simulation.model;
  HEDDLE_CHECK_EQ(model.cloths.size(), scene.cloths.size());
  HEDDLE_CHECK_EQ(model.obstacles.size(), scene.obstacles.size());
  const std::vector<char> held = held_at_start(simulation);
  Diagnostics found;
  for (size_t c = 0; c < model.cloths.size(); ++c)
    for (size_t k = 0; k < model.obstacles.size(); ++k) {
      const BothCloth cloth{model.cloths[c], scene.cloths[c]};
      const BothObstacle obstacle{model.obstacles[k], scene.obstacles[k]};
      check_penetration(cloth, obstacle, simulation.state, held, found);
      check_cover(cloth, obstacle, found);
    }
  return found;
}

}  // namespace heddle
