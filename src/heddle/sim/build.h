#pragma once

#include <heddle/scene/scene_description.h>
#include <heddle/sim/simulation.h>

namespace heddle {

/// Turns a description into a simulation that is ready to run; nothing reads the description afterwards.
/// Collects all errors; `warnings` receives what is odd but possible.
Result<Simulation> build(const SceneDescription& scene, const Catalogue& catalogue, Diagnostics& warnings);

}  // namespace heddle
