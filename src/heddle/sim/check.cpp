#include <heddle/sim/check.h>

#include <heddle/forces/spring/buckling.h>
#include <heddle/forces/spring/spring_membrane.h>
#include <heddle/geometry/signed_distance.h>
#include <heddle/integrate/stable_step.h>
#include <heddle/sim/check_meshes.h>
#include <heddle/sim/cover.h>
#include <heddle/sim/explicit_limit.h>
#include <heddle/sim/limits.h>
#include <heddle/sim/place_text.h>
#include <heddle/sim/registry.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
using BothObstacle = Both<ObstaclePart, ObstacleDescription>;  // of one that has a shape

std::vector<char> held_at_start(const Simulation& simulation) {
  VelocityFilter filter(simulation.state.particle_count());
  simulation.model.system->constrain(simulation.state, simulation.model.step_length(), filter);
  std::vector<char> held(simulation.state.x.size(), 0);
  for (int particle : filter.fixed_particles()) held[at(particle)] = 1;
  return held;
}

/// Vertices nearer to the surface of an obstacle lie on it, m.
constexpr double kTouching = 1e-9;

/// What contact does to the vertices that start inside an obstacle, or on it.
struct PushOut {
  int count = 0;
  double deepest = 0;         // m
  Vec3 place = Vec3::Zero();  // of the deepest, m
  std::vector<Vec3> ends;     // of all vertices of the cloth, m
};

PushOut push_out(const ClothPart& cloth, const ObstaclePart& obstacle, const State& state,
                 const std::vector<char>& held) {
  const RigidTransform pose = obstacle.surface->motion.at(0);
  PushOut result;
  for (int i = cloth.first_particle; i < cloth.first_particle + cloth.particle_count; ++i) {
    result.ends.push_back(state.x[at(i)]);
    const Vec3 local = pose.point_to_local(state.x[at(i)]);
    const SurfacePoint surface = signed_distance(*obstacle.shape, local);
    if (held[at(i)] || surface.distance > kTouching) continue;
    ++result.count;
    if (-surface.distance > result.deepest) {
      result.deepest = -surface.distance;
      result.place = state.x[at(i)];
    }
    result.ends.back() = pose.point(local - std::min(0.0, surface.distance) * surface.normal);
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
  constexpr double kNoticeable = 1.01;
  const PushOut found = push_out(cloth.built, obstacle.built, state, held);
  if (found.count == 0) return;
  const double stretch = largest_stretch(cloth.built, state, found.ends);
  const std::string depth =
      found.deepest > kTouching
          ? ", the deepest by " + short_number_text(found.deepest) + " m at " + place_text(found.place)
          : "";
  const std::string message = std::to_string(found.count) + " of " +
                              std::to_string(cloth.built.particle_count) + " vertices of cloth " +
                              in_quotes(cloth.built.name) + " start " +
                              (depth.empty() ? "on the surface of" : "inside") + " obstacle " +
                              in_quotes(obstacle.built.name) + depth + "; ";
  out.warning(cloth.described.where,
              message + "they are pushed out in the first steps" +
                  (stretch > kNoticeable
                       ? ", which stretches edges to " + short_number_text(stretch) + " times their length"
                       : ""),
              "move the cloth or the obstacle until they are apart");
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

bool faces_are_kept_out(const Simulation& simulation) {
  return simulation.surface_contact && simulation.surface_contact->scope().obstacles;
}

/// A cloth that is sewn to the obstacle hangs from it and is not judged.
void check_cover(const BothCloth& cloth, const BothObstacle& obstacle, Diagnostics& out) {
  if (cloth.described.is_attached_to(obstacle.built.name)) return;
  const double edge = cloth.built.edge_length;
  const Cover cover{edge, 2 * (cloth.built.clearance - kEdgeShare * edge)};
  for (const Bend& bend : bends_of(*obstacle.built.shape)) {
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

/// The shortest bending length c = (B / (density g))^(1/3) of the fabrics of a cloth, m; infinite if nothing
/// bends it or nothing resists.
double bending_length(const ClothPart& cloth, const Model& model) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int k : cloth.face_material) {
    const Fabric& fabric = model.materials[at(k)].fabric;
    const double rigidity = std::min(fabric.weft_bending, fabric.warp_bending);
    const double weight = fabric.density * model.gravity.norm();
    if (rigidity > 0 && weight > 0) shortest = std::min(shortest, std::cbrt(rigidity / weight));
  }
  return shortest;
}

/// Springs may have a stiffness that is not the fabric's.
bool bends_by_fabric(const ClothDescription& cloth) {
  if (cloth.bending.is<NoBending>() || cloth.bending.is<FlexionSprings>()) return false;
  if (cloth.bending.is<BucklingSprings>()) return !cloth.bending.as<BucklingSprings>().stiffness;
  return cloth.bending || !cloth.membrane.is<Provot>();
}

/// Folds are about as sharp as the bending length; edges much longer than that crumple like paper.
void check_folds(const BothCloth& cloth, const Model& model, Diagnostics& out) {
  constexpr double kCrumples = 1.5;  // satin on a ball: soft folds at 0.9, crumpled at 1.6
  const double length = bending_length(cloth.built, model), edge = cloth.built.edge_length;
  if (edge <= kCrumples * length || !bends_by_fabric(cloth.described)) return;
  out.warning(cloth.described.mesh.where,
              "the mesh of cloth " + in_quotes(cloth.built.name) +
                  " is too coarse for its fabric: edges of " + short_number_text(edge) +
                  " m on average cannot follow folds of a bending length of " + short_number_text(length) +
                  " m, and will look crumpled",
              "use edges of " + short_number_text(length) + " m or less, or a stiffer fabric");
}

/// `limits` as explicit_limits gives them.
void check_explicit(const BothCloth& cloth, const std::vector<double>& limits, double step,
                    Diagnostics& out) {
  const auto first = limits.begin() + cloth.built.first_particle;
  const double limit = *std::min_element(first, first + cloth.built.particle_count);
  if (step <= limit) return;
  out.warning(cloth.described.where,
              "what is explicit in cloth " + in_quotes(cloth.built.name) + " is unstable at steps of " +
                  short_number_text(step) + " s: it will shake and gain energy",
              "set the \"time_step\" of the integrator to " + short_number_text(0.99 * limit) +
                  " s, or the \"treatment\" in \"membrane\" and \"bending\" to \"implicit\"");
}

/// The longest step at which the integrator is stable, s; infinite if all are.
double longest_stable_step(const Simulation& simulation, const Entity& entity) {
  constexpr double kMargin = 0.95;  // power iterations end a little too low
  const IntegratorEntry& entry = integrator_entry(entity);
  const std::vector<std::string> terms = entry.explicit_terms(entity);
  const IntegratorTraits traits = entry.traits(entity);
  const bool is_limited = traits.is_explicit || traits.has_limit;
  if (!is_limited && terms.empty()) return std::numeric_limits<double>::infinity();
  const StiffestMode mode = stiffest_mode(*simulation.model.system, simulation.state, terms);
  const double step = simulation.model.step_length();
  if (is_limited) return kMargin * stable_step(*entry.build(entity), mode, step / kMargin);
  const double d = traits.damping_weight * mode.damping, k = traits.stiffness_weight * mode.stiffness;
  return kMargin * 2 / (d + std::sqrt(d * d + 4 * k));
}

void check_integrator(const Simulation& simulation, const Entity& entity, Diagnostics& out) {
  if (!entity) return;
  constexpr double kRounding = 1e-9;  // of a step that is taken as its own limit
  const double limit = longest_stable_step(simulation, entity), step = simulation.model.step_length();
  if (step <= (1 + kRounding) * limit) return;
  out.warning(
      entity.where,
      "the integrator " + in_quotes(entity.type()) + " is unstable at steps of " + short_number_text(step) +
          " s: steps will be cut, or the cloth will shake and gain energy",
      "set \"time_step\" to " + short_number_text(0.99 * limit) + " s, or use an implicit integrator");
}

/// Cloth that lies on an obstacle falls into it by g dt^2 in every step before contact brings it back.
void check_fall(const BothCloth& cloth, const Model& model, const SceneDescription& scene, Diagnostics& out) {
  constexpr double kComfortable = 0.05;  // hardly a step is cut
  const double step = model.step_length(), edge = cloth.built.edge_length, g = model.gravity.norm();
  const double fall = g * step * step;
  if (model.obstacles.empty() || fall <= kBearableFall * edge) return;
  out.warning(
      scene.integrator ? scene.integrator.where : cloth.described.where,
      "cloth " + in_quotes(cloth.built.name) + " falls by " + short_number_text(fall) + " m in a step of " +
          short_number_text(step) + " s, and its edges are only " + short_number_text(edge) +
          " m long on average: contact with obstacles will be slow, and small cloth may end wrongly strained",
      "set the \"time_step\" of the integrator to " + short_number_text(std::sqrt(kComfortable * edge / g)) +
          " s");
}

/// Frames hold positions in single precision; what they show far from the origin is not what was simulated.
void check_precision(const BothCloth& cloth, const State& state, Diagnostics& out) {
  constexpr double kBearable = 0.01;  // of the thickness; contact keeps at least a tenth of it
  double farthest = 0;
  for (int i = 0; i < cloth.built.particle_count; ++i)
    farthest = std::max(farthest, state.x[at(cloth.built.first_particle + i)].cwiseAbs().maxCoeff());
  const double thickness = cloth.built.thickness;
  const auto stored = static_cast<float>(farthest);
  const double rounding = 0.5 * (std::nextafter(stored, HUGE_VALF) - stored);
  if (rounding <= kBearable * thickness) return;
  out.warning(cloth.described.where,
              "cloth " + in_quotes(cloth.built.name) + " is up to " + short_number_text(farthest) +
                  " m from the origin, where frames round positions by up to " + short_number_text(rounding) +
                  " m, " + short_number_text(100 * rounding / thickness) + " % of its thickness of " +
                  short_number_text(thickness) +
                  " m: frames, exports and counted intersections may show layers through each other that "
                  "the simulation keeps apart",
              "move the scene to the origin");
}

}  // namespace

Diagnostics check(const Simulation& simulation, const SceneDescription& scene) {
  const Model& model = simulation.model;
  HEDDLE_CHECK_EQ(model.cloths.size(), scene.cloths.size());
  HEDDLE_CHECK_EQ(model.obstacles.size(), scene.obstacles.size());
  const std::vector<char> held = held_at_start(simulation);
  const std::vector<double> limits = explicit_limits(*model.system, simulation.state);
  Diagnostics found;
  for (size_t c = 0; c < model.cloths.size(); ++c) {
    check_explicit({model.cloths[c], scene.cloths[c]}, limits, model.step_length(), found);
    check_folds({model.cloths[c], scene.cloths[c]}, model, found);
    check_fall({model.cloths[c], scene.cloths[c]}, model, scene, found);
    check_precision({model.cloths[c], scene.cloths[c]}, simulation.state, found);
    for (size_t k = 0; k < model.obstacles.size(); ++k) {
      if (!model.obstacles[k].shape) continue;
      const BothCloth cloth{model.cloths[c], scene.cloths[c]};
      const BothObstacle obstacle{model.obstacles[k], scene.obstacles[k]};
      check_penetration(cloth, obstacle, simulation.state, held, found);
      if (!faces_are_kept_out(simulation)) check_cover(cloth, obstacle, found);
    }
  }
  check_integrator(simulation, scene.integrator, found);
  check_limits(simulation, scene, found);
  found.append(check_crossing_cloths(simulation, scene));
  found.append(check_mesh_obstacles(simulation, scene));
  found.append(check_rod_overlaps(simulation, scene));
  return found;
}

}  // namespace heddle
