#pragma once

#include <heddle/rigid/rigid_system.h>
#include <heddle/scene/scene_description.h>
#include <heddle/sim/model.h>

#include <memory>

namespace heddle {

/// The rigid bodies of a scene among the obstacles.
class RigidWorld {
 public:
  RigidWorld(RigidSystem system, std::vector<Motion> obstacles);

  /// Finds how bodies move from `begin` on under `loads` (N and N m about the centres of mass; empty: none),
  /// without what particles do to them.
  void begin(const State& begin, double dt, std::span<const BodyImpulse> loads);
  RigidSystem& system() { return system_; }
  const RigidSystem& system() const { return system_; }

 private:
  RigidSystem system_;
  std::vector<Motion> obstacles_;
  std::vector<ToldPose> told_;
};

/// Prepares the bodies of a scene, adds them to the model, and their states to `state`. Null if there are
/// none.
std::unique_ptr<RigidWorld> make_rigid_world(const SceneDescription& scene, Model& model, State& state,
                                             Diagnostics& diagnostics);

}  // namespace heddle
