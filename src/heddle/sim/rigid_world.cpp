#include <heddle/sim/rigid_world.h>

#include <heddle/sim/prepared_body.h>

namespace heddle {

RigidWorld::RigidWorld(RigidSystem system, std::vector<Motion> obstacles)
    : system_(std::move(system)), obstacles_(std::move(obstacles)) {}

void RigidWorld::begin(const State& begin, double dt, std::span<const BodyImpulse> loads) {
  told_.clear();
  for (const Motion& motion : obstacles_)
    told_.push_back({motion.at(begin.time), motion.at(begin.time + dt)});
  system_.begin(begin, dt, loads, told_);
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
  return std::make_unique<RigidWorld>(RigidSystem(std::move(bodies), std::move(obstacles),
                                                  make_joints(scene, model, state.bodies), scene.gravity),
                                      std::move(motions));
}

}  // namespace heddle
