#pragma once

#include <heddle/scene/scene_description.h>
#include <heddle/sim/simulation.h>

namespace heddle {

/// Warns of cloths that start through themselves or each other, or far within their thickness of each other,
/// and says where.
Diagnostics check_crossing_cloths(const Simulation& simulation, const SceneDescription& scene);

/// Warns of cloth that starts through a mesh obstacle or enclosed by one, and of mesh obstacles that cloth
/// may pass through.
Diagnostics check_mesh_obstacles(const Simulation& simulation, const SceneDescription& scene);

}  // namespace heddle
