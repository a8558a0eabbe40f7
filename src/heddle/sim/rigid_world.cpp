#include <heddle/sim/rigid_world.h>

#include <heddle/core/text.h>
#include <heddle/sim/prepared_body.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

bool is_ball(const std::optional<ShapeVariant>& shape) {
  return shape && std::holds_alternative<Sphere>(*shape);
}

/// Collects the magnets of a scene, with what is needed to look for overlaps.
struct MagnetCollector {
  RigidWorld::Magnets magnets;
  std::vector<RigidTransform> poses;
  std::vector<std::string> names;
  std::vector<SourceLocation> places;

  void add(const std::optional<Magnet>& magnet, RigidWorld::MagneticBody owner, const RigidTransform& pose,
           const std::string& name, const SourceLocation& where) {
    if (!magnet) return;
    magnets.magnets.push_back(*magnet);
    magnets.owners.push_back(owner);
    poses.push_back(pose);
    names.push_back(name);
    places.push_back(where);
  }

  void check(Diagnostics& diagnostics) const {
    const Diagnostics found = check_overlaps(magnets.magnets, poses, names);
    for (const Diagnostic& item : found.items()) {
      const auto name = std::find(names.begin(), names.end(), item.where.file);
      const size_t k = name == names.end() ? 0 : static_cast<size_t>(name - names.begin());
      diagnostics.error(places[k], item.message, item.remedy);
    }
  }
};

void add_coils(const SceneDescription& scene, RigidWorld::Magnets& magnets, Diagnostics& diagnostics) {
  for (const CoilDescription& description : scene.coils) {
    const double current = description.current.at(0);
    Coil coil =
        description.radius ? circular_coil(*description.radius, current) : Coil{description.points, current};
    if (const Status good = check_coil(coil, description.name); !good) {
      for (const Diagnostic& item : good.errors().items())
        diagnostics.error(description.where, item.message, item.remedy);
      continue;
    }
    magnets.coils.push_back(std::move(coil));
    magnets.coil_motions.push_back(description.motion);
    magnets.currents.push_back(description.current);
    if (!description.radius) continue;
    // The current of a polygon that stands for a circle is not quite that of the circle.
    const double share =
        current != 0 ? magnets.coils.back().current / current : circular_coil(*description.radius, 1).current;
    for (double& value : magnets.currents.back().values) value *= share;
  }
}

RigidWorld::Magnets make_magnets(const SceneDescription& scene, const Model& model,
                                 std::span<const BodyState> bodies, Diagnostics& diagnostics) {
  MagnetCollector collector;
  for (size_t k = 0; k < scene.bodies.size(); ++k) {
    const BodyDescription& description = scene.bodies[k];
    if (!description.magnet) continue;
    const BodyPart& part = model.bodies[k];
    const RigidTransform pose{bodies[k].rotation, bodies[k].x - bodies[k].rotation * part.centre};
    collector.add(
        prepare_magnet(*description.magnet, part.solid, is_ball(part.shape), part.name, diagnostics),
        {.body = static_cast<int>(k)}, pose, part.name, description.where);
  }
  for (size_t k = 0; k < scene.obstacles.size(); ++k) {
    const ObstacleDescription& description = scene.obstacles[k];
    if (!description.magnet) continue;
    const ObstaclePart& part = model.obstacles[k];
    const auto solid = obstacle_solid(part, description.where, diagnostics);
    if (!solid) continue;
    collector.add(prepare_magnet(*description.magnet, solid, is_ball(part.shape), part.name, diagnostics),
                  {.obstacle = static_cast<int>(k)}, part.surface->motion.at(0), part.name,
                  description.where);
  }
  collector.check(diagnostics);
  add_coils(scene, collector.magnets, diagnostics);
  return std::move(collector.magnets);
}

}  // namespace

RigidWorld::RigidWorld(RigidSystem system, std::vector<Motion> obstacles, Magnets magnets)
    : system_(std::move(system)),
      obstacles_(std::move(obstacles)),
      owners_(std::move(magnets.owners)),
      coil_motions_(std::move(magnets.coil_motions)),
      currents_(std::move(magnets.currents)) {
  if (!magnets.magnets.empty())
    magnets_ = std::make_unique<MagnetSystem>(std::move(magnets.magnets), std::move(magnets.coils));
}

void RigidWorld::find_magnetic_loads(const State& begin) {
  loads_.clear();
  if (!magnets_) return;
  std::vector<RigidTransform> poses, coil_poses;
  for (const MagneticBody& owner : owners_)
    poses.push_back(owner.body >= 0 ? system_.pose(begin.bodies[at(owner.body)], owner.body)
                                    : obstacles_[at(owner.obstacle)].at(begin.time));
  for (size_t c = 0; c < coil_motions_.size(); ++c) {
    coil_poses.push_back(coil_motions_[c].at(begin.time));
    magnets_->set_current(static_cast<int>(c), currents_[c].at(begin.time));
  }
  magnets_->update(poses, coil_poses);
  loads_.assign(begin.bodies.size(), {});
  for (size_t k = 0; k < owners_.size(); ++k) {
    if (owners_[k].body < 0) continue;
    const Wrench& wrench = magnets_->loads()[k];
    BodyImpulse& load = loads_[at(owners_[k].body)];
    load.linear += wrench.force;
    load.angular +=
        wrench.torque + (poses[k].translation - begin.bodies[at(owners_[k].body)].x).cross(wrench.force);
  }
}

void RigidWorld::begin(const State& begin, double dt) {
  find_magnetic_loads(begin);
  told_.clear();
  for (const Motion& motion : obstacles_)
    told_.push_back({motion.at(begin.time), motion.at(begin.time + dt)});
  system_.begin(begin, dt, loads_, told_);
}

std::unique_ptr<RigidWorld> make_rigid_world(const SceneDescription& scene, Model& model, State& state,
                                             Diagnostics& diagnostics) {
  if (scene.bodies.empty()) return nullptr;
  std::vector<RigidBody> bodies;
  for (const BodyDescription& description : scene.bodies) {
    std::optional<PreparedBody> body = prepare_body(description, diagnostics);
    if (!body) continue;
    model.bodies.push_back(std::move(body->part));
    bodies.push_back(std::move(body->body));
    state.bodies.push_back(body->start);
  }
  if (diagnostics.has_errors()) return nullptr;
  std::vector<RigidObstacle> obstacles;
  std::vector<Motion> motions;
  for (const ObstaclePart& obstacle : model.obstacles) {
    obstacles.push_back(rigid_obstacle(obstacle));
    motions.push_back(obstacle.surface->motion);
  }
  RigidWorld::Magnets magnets = make_magnets(scene, model, state.bodies, diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  return std::make_unique<RigidWorld>(RigidSystem(std::move(bodies), std::move(obstacles),
                                                  make_joints(scene, model, state.bodies), scene.gravity),
                                      std::move(motions), std::move(magnets));
}

}  // namespace heddle
