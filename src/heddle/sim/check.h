#pragma once

#include <heddle/scene/scene_description.h>
#include <heddle/sim/simulation.h>

namespace heddle {

/// Looks at a built simulation before its first step for cloth that starts inside obstacles, and for cloth
/// that is too coarse for them, so that they show between its vertices, or for its own folds; for
/// explicit forces that are unstable at the step of the scene; and for steps too long for small edges. Only
/// warnings: the run can start, but the user should know. `scene` is what the simulation was built from, for
/// the places in its text.
Diagnostics check(const Simulation& simulation, const SceneDescription& scene);

}  // namespace heddle
