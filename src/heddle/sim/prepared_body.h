#pragma once

#include <heddle/magnetics/magnet.h>
#include <heddle/rigid/rigid_system.h>
#include <heddle/scene/scene_description.h>
#include <heddle/sim/model.h>

#include <optional>

namespace heddle {

/// A body of the scene with everything it is built from.
struct PreparedBody {
  BodyPart part;
  RigidBody body;
  BodyState start;
};

/// Finds mass and inertia. Reports everything that is wrong and then returns nothing.
std::optional<PreparedBody> prepare_body(const BodyDescription& body, Diagnostics& diagnostics);

/// What rigid bodies see of an obstacle.
RigidObstacle rigid_obstacle(const ObstaclePart& obstacle);

/// The joints of a scene, between bodies and obstacles as they start; all names are known.
std::vector<RigidJoint> make_joints(const SceneDescription& scene, const Model& model,
                                    std::span<const BodyState> bodies);

/// Makes something magnetic; `where` is its place in the scene.
std::optional<Magnet> prepare_magnet(const MagnetDescription& magnet,
                                     const std::shared_ptr<const Solid>& solid, bool is_ball,
                                     const std::string& name, Diagnostics& diagnostics);
/// The inside of an obstacle, if it has one.
std::shared_ptr<const Solid> obstacle_solid(const ObstaclePart& obstacle, const SourceLocation& where,
                                            Diagnostics& diagnostics);

}  // namespace heddle
