#pragma once

#include <heddle/scene/scene_description.h>
#include <heddle/sim/model.h>

#include <optional>

namespace heddle {

/// Tessellates the shape, or reads and checks the mesh or the sequence. Reports everything that is wrong and
/// then returns nothing.
std::optional<ObstaclePart> prepare_obstacle(const ObstacleDescription& obstacle, Diagnostics& diagnostics);

}  // namespace heddle
