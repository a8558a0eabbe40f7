#include <heddle/sim/check.h>

#include <heddle/core/text.h>
#include <heddle/geometry/signed_distance.h>

#include <algorithm>
#include <cmath>
#include <optional>

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

/// The radius with which a shape is round all over, m: every face that lies on it bridges a part of it.
std::optional<double> body_radius(const ShapeVariant& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return cylinder->radius;
  return std::nullopt;
}

/// The radius of the lines along which a shape turns a corner, m.
std::optional<double> rim_radius(const ShapeVariant& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return box->rounding;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return cylinder->rounding;
  return std::nullopt;
}

bool is_attached(const ClothDescription& cloth, const std::string& obstacle) {
  return std::any_of(
      cloth.attachments.begin(), cloth.attachments.end(),
      [&](const AttachmentDescription& attachment) { return attachment.obstacle == obstacle; });
}

/// Between two vertices at the clearance c a straight edge of length l comes nearer to a body of radius r by
/// l^2/(8 r). Beyond c the body shows through, in a spot about sqrt(l^2 - 8 r c) wide. Reported once that is
/// half an edge, l^2/(8 r) > 4/3 c: smaller spots are hardly seen. A cloth that is sewn to the body hangs
/// from it and is not judged.
void check_body(const BothCloth& cloth, const BothObstacle& obstacle, Diagnostics& out) {
  const std::optional<double> radius = body_radius(obstacle.built.shape);
  if (!radius || is_attached(cloth.described, obstacle.built.name)) return;
  const double edge = cloth.built.edge_length, clearance = cloth.built.clearance;
  const double sag = edge * edge / (8 * *radius);
  if (sag <= 4.0 / 3 * clearance) return;
  // Where l^2/(8 r) = thickness/2 + kEdgeShare l.
  const double half_thickness = clearance - kEdgeShare * edge, b = 4 * kEdgeShare * *radius;
  const double fine_edge = b + std::sqrt(b * b + 8 * *radius * half_thickness);
  const double thickness = 2 * (sag - kEdgeShare * edge);
  const double thickest = description_of<Fabric>().find("thickness")->options.maximum;
  out.warning(obstacle.described.shape.where,
              "obstacle " + in_quotes(obstacle.built.name) + " with its radius of " + number_text(*radius) +
                  " m will show through cloth " + in_quotes(cloth.built.name) + " by up to " +
                  short_number_text(sag - clearance) + " m: the edges of the cloth are " +
                  short_number_text(edge) + " m long on average, and only vertices are kept out",
              "refine the cloth to edges of " + short_number_text(fine_edge) + " m" +
                  (thickness <= thickest
                       ? ", or give its fabric a thickness of " + short_number_text(thickness) + " m"
                       : std::string()));
}

/// At a rim only the edges that cross it can show it, so that it may be sharper.
void check_rim(const BothCloth& cloth, const BothObstacle& obstacle, Diagnostics& out) {
  const std::optional<double> radius = rim_radius(obstacle.built.shape);
  const double edge = cloth.built.edge_length;
  if (!radius || *radius >= 0.5 * edge) return;
  out.warning(obstacle.described.shape.where,
              "the \"rounding\" of obstacle " + in_quotes(obstacle.built.name) + " is " +
                  number_text(*radius) + " m, less than half of the mean edge of cloth " +
                  in_quotes(cloth.built.name) + " (" + short_number_text(edge) +
                  " m), so that it can poke through the faces",
              "raise it to " + short_number_text(0.5 * edge) + " m, or refine the cloth");
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
      check_body(cloth, obstacle, found);
      check_rim(cloth, obstacle, found);
    }
  return found;
}

}  // namespace heddle
