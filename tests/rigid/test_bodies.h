#pragma once

#include <heddle/mesh/solid.h>
#include <heddle/rigid/rigid_system.h>

namespace heddle::test {

inline RigidBody body_of(const ShapeVariant& shape, double mass, SolidTouch touch = {}) {
  RigidBody body{.name = "body", .surface = {.shape = shape}, .mass = mass, .touch = touch};
  const VolumeProperties properties = volume_properties(shape);
  body.centre = properties.centre;
  body.inertia = principal_inertia(mass / properties.volume * properties.inertia);
  return body;
}

/// Bodies with the world they move in.
struct Yard {
  RigidSystem system;
  State state;
  std::vector<ToldPose> obstacles;
  double dt = 0.005;  // s

  Yard(std::vector<RigidBody> bodies, std::vector<RigidObstacle> obstacles_there,
       std::vector<RigidJoint> joints = {}, const Vec3& gravity = {0, 0, -9.81})
      : system(std::move(bodies), obstacles_there, std::move(joints), gravity),
        obstacles(obstacles_there.size()) {
    state.bodies.resize(system.bodies().size());
  }
  void step() {
    system.begin(state, dt, {}, obstacles);
    system.finish({}, state);
    state.time += dt;
  }
  void run(double time) {
    for (const double end = state.time + time - 0.5 * dt; state.time < end;) step();
  }
  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (size_t k = 0; k < state.bodies.size(); ++k) sum += system.bodies()[k].mass * state.bodies[k].v;
    return sum;
  }
  Vec3 angular_momentum() const {
    Vec3 sum = Vec3::Zero();
    for (size_t k = 0; k < state.bodies.size(); ++k) {
      const BodyState& body = state.bodies[k];
      sum += body.angular_momentum + system.bodies()[k].mass * body.x.cross(body.v);
    }
    return sum;
  }
};

}  // namespace heddle::test
