#include <heddle/sim/magnet_world.h>

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

RigidTransform pose_of(const MagnetWorld::Owner& owner, const Model& model, const State& state) {
  return owner.body >= 0 ? model.bodies[at(owner.body)].pose(state.bodies[at(owner.body)])
                         : model.obstacles[at(owner.obstacle)].surface->motion.at(state.time);
}

/// Collects the magnets of a scene, with what is needed to look for overlaps.
struct MagnetCollector {
  MagnetWorld::Parts parts;
  std::vector<std::string> names;
  std::vector<SourceLocation> places;

  void add(const std::optional<Magnet>& magnet, MagnetWorld::Owner owner, const std::string& name,
           const SourceLocation& where) {
    if (!magnet) return;
    parts.magnets.push_back(*magnet);
    parts.owners.push_back(owner);
    names.push_back(name);
    places.push_back(where);
  }

  void check(const Model& model, const State& state, Diagnostics& diagnostics) const {
    std::vector<RigidTransform> poses;
    for (const MagnetWorld::Owner& owner : parts.owners) poses.push_back(pose_of(owner, model, state));
    const Diagnostics found = check_overlaps(parts.magnets, poses, names);
    for (const Diagnostic& item : found.items()) {
      const auto name = std::find(names.begin(), names.end(), item.where.file);
      const size_t k = name == names.end() ? 0 : static_cast<size_t>(name - names.begin());
      diagnostics.error(places[k], item.message, item.remedy);
    }
  }
};

void add_bodies(const SceneDescription& scene, const Model& model, MagnetCollector& out,
                Diagnostics& diagnostics) {
  for (size_t k = 0; k < scene.bodies.size(); ++k) {
    const BodyDescription& description = scene.bodies[k];
    if (!description.magnet) continue;
    const BodyPart& part = model.bodies[k];
    out.add(prepare_magnet(*description.magnet, part.solid, is_ball(part.shape), part.name, diagnostics),
            {.body = static_cast<int>(k)}, part.name, description.where);
  }
}

void add_obstacles(const SceneDescription& scene, const Model& model, MagnetCollector& out,
                   Diagnostics& diagnostics) {
  for (size_t k = 0; k < scene.obstacles.size(); ++k) {
    const ObstacleDescription& description = scene.obstacles[k];
    if (!description.magnet) continue;
    const ObstaclePart& part = model.obstacles[k];
    const auto solid = obstacle_solid(part, description.where, diagnostics);
    if (!solid) continue;
    out.add(prepare_magnet(*description.magnet, solid, is_ball(part.shape), part.name, diagnostics),
            {.obstacle = static_cast<int>(k)}, part.name, description.where);
  }
}

void add_coils(const SceneDescription& scene, MagnetWorld::Parts& out, Diagnostics& diagnostics) {
  for (const CoilDescription& description : scene.coils) {
    const double current = description.current.at(0);
    Coil coil =
        description.radius ? circular_coil(*description.radius, current) : Coil{description.points, current};
    if (const Status good = check_coil(coil, description.name); !good) {
      for (const Diagnostic& item : good.errors().items())
        diagnostics.error(description.where, item.message, item.remedy);
      continue;
    }
    out.coils.push_back(std::move(coil));
    out.coil_motions.push_back(description.motion);
    out.currents.push_back(description.current);
    if (!description.radius) continue;
    // The current of a polygon that stands for a circle is not quite that of the circle.
    const double share =
        current != 0 ? out.coils.back().current / current : circular_coil(*description.radius, 1).current;
    for (double& value : out.currents.back().values) value *= share;
  }
}

std::vector<std::vector<Vec3>> wires_of(const std::vector<Coil>& coils) {
  std::vector<std::vector<Vec3>> wires;
  for (const Coil& coil : coils) wires.push_back(coil.points);
  return wires;
}

std::vector<Magnet> with_riders(std::vector<Magnet> magnets, const Riders& riders) {
  for (const auto& rider : riders)
    magnets.insert(magnets.end(), rider->magnets().begin(), rider->magnets().end());
  return magnets;
}

SnapshotLoad load_about(const Vec3& centre, const Vec3& origin, const Wrench& wrench) {
  return {centre, wrench.force, wrench.torque - (centre - origin).cross(wrench.force)};
}

SnapshotMagnet drawn(const PlacedMagnet& magnet, const Wrench& wrench) {
  SnapshotMagnet out{.permanent = magnet.magnet->is_permanent(),
                     .nearest = static_cast<float>(magnet.magnet->cells.leaf_diameter()),
                     .load = load_about(magnet.box.centre, magnet.pose.translation, wrench)};
  for (int leaf = 0; leaf < magnet.leaf_count(); ++leaf) {
    out.places.push_back(magnet.leaf_place(leaf).cast<float>());
    out.moments.push_back(magnet.leaf_moment(leaf).cast<float>());
  }
  return out;
}

}  // namespace

MagnetWorld::MagnetWorld(Parts parts)
    : riders_(std::move(parts.riders)),
      system_(with_riders(std::move(parts.magnets), riders_), parts.coils),
      owners_(std::move(parts.owners)),
      wires_(wires_of(parts.coils)),
      coil_motions_(std::move(parts.coil_motions)),
      currents_(std::move(parts.currents)),
      particle_forces_(std::make_shared<std::vector<Vec3>>()) {}

std::vector<RigidTransform> MagnetWorld::poses_of(const Model& model, const State& state) const {
  std::vector<RigidTransform> poses;
  for (const Owner& owner : owners_) poses.push_back(pose_of(owner, model, state));
  for (const auto& rider : riders_) rider->append_poses(state, poses);
  return poses;
}

void MagnetWorld::update(const Model& model, const State& state) {
  const std::vector<RigidTransform> poses = poses_of(model, state);
  coil_poses_.clear();
  present_currents_.clear();
  for (size_t c = 0; c < coil_motions_.size(); ++c) {
    coil_poses_.push_back(coil_motions_[c].at(state.time));
    present_currents_.push_back(currents_[c].at(state.time));
    system_.set_current(static_cast<int>(c), present_currents_.back());
  }
  system_.update(poses, coil_poses_);
  push_bodies(poses, state);
  push_particles(state);
}

void MagnetWorld::push_bodies(std::span<const RigidTransform> poses, const State& state) {
  body_loads_.assign(state.bodies.size(), {});
  for (size_t k = 0; k < owners_.size(); ++k) {
    if (owners_[k].body < 0) continue;
    const Wrench& wrench = system_.loads()[k];
    BodyImpulse& load = body_loads_[at(owners_[k].body)];
    load.linear += wrench.force;
    load.angular +=
        wrench.torque + (poses[k].translation - state.bodies[at(owners_[k].body)].x).cross(wrench.force);
  }
}

void MagnetWorld::push_particles(const State& state) {
  if (riders_.empty()) return;
  particle_forces_->assign(state.x.size(), Vec3::Zero());
  size_t first = owners_.size();
  for (const auto& rider : riders_) {
    const size_t count = rider->magnets().size();
    rider->add_forces(state, system_.loads().subspan(first, count), *particle_forces_);
    first += count;
  }
}

void MagnetWorld::draw(const Model& model, Snapshot& snapshot) const {
  const size_t first_obstacle = model.cloths.size() + model.rods.size();
  for (size_t k = 0; k < owners_.size(); ++k) {
    snapshot.magnets.push_back(drawn(system_.magnets()[k], system_.loads()[k]));
    const Owner& owner = owners_[k];
    snapshot.magnets.back().object = static_cast<std::int32_t>(
        first_obstacle + (owner.body >= 0 ? model.obstacles.size() + at(owner.body) : at(owner.obstacle)));
  }
  draw_riders(snapshot);
  for (size_t c = 0; c < wires_.size(); ++c) {
    SnapshotCoil& coil = snapshot.coils.emplace_back();
    Vec3 sum = Vec3::Zero();
    for (const Vec3& point : wires_[c]) {
      coil.points.push_back(coil_poses_[c].point(point).cast<float>());
      sum += point;
    }
    coil.current = present_currents_[c];
    const Vec3 centre = coil_poses_[c].point(sum / static_cast<double>(wires_[c].size()));
    coil.load = load_about(centre, coil_poses_[c].translation, system_.coil_loads()[c]);
  }
}

void MagnetWorld::draw_riders(Snapshot& snapshot) const {
  size_t next = owners_.size();
  for (const auto& rider : riders_) {
    SnapshotMagnet& out = snapshot.magnets.emplace_back();
    out.object = rider->object();
    out.permanent = true;
    out.nearest = static_cast<float>(rider->magnets().front().cells.leaf_diameter());
    Wrench sum;  // about the origin of space
    Vec3 centre = Vec3::Zero();
    for (size_t k = 0; k < rider->magnets().size(); ++k, ++next) {
      const PlacedMagnet& cell = system_.magnets()[next];
      const Wrench& load = system_.loads()[next];
      out.places.push_back(cell.leaf_place(0).cast<float>());
      out.moments.push_back(cell.leaf_moment(0).cast<float>());
      sum += {load.force, load.torque + cell.pose.translation.cross(load.force)};
      centre += cell.pose.translation;
    }
    centre /= static_cast<double>(rider->magnets().size());
    out.load = load_about(centre, Vec3::Zero(), sum);
  }
}

std::unique_ptr<MagnetWorld> make_magnet_world(const SceneDescription& scene, const Model& model,
                                               const State& state, Riders riders, Diagnostics& diagnostics) {
  MagnetCollector collector;
  collector.parts.riders = std::move(riders);
  add_bodies(scene, model, collector, diagnostics);
  add_obstacles(scene, model, collector, diagnostics);
  collector.check(model, state, diagnostics);
  add_coils(scene, collector.parts, diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  const MagnetWorld::Parts& parts = collector.parts;
  if (parts.magnets.empty() && parts.coils.empty() && parts.riders.empty()) return nullptr;
  return std::make_unique<MagnetWorld>(std::move(collector.parts));
}

}  // namespace heddle
