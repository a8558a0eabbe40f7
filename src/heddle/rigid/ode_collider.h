#pragma once

#include <heddle/rigid/body_collider.h>

namespace heddle {

/// By the Open Dynamics Engine. Shapes of bodies are taken a little larger than they are, so that contacts
/// are known before bodies touch; meshes are not. `pairs_apart`: bodies that joints connect, which do not
/// touch each other.
std::unique_ptr<BodyCollider> make_ode_collider(std::span<const RigidBody> bodies,
                                                std::span<const RigidObstacle> obstacles,
                                                std::vector<std::pair<int, int>> pairs_apart);

}  // namespace heddle
