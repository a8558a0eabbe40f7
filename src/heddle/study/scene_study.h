#pragma once

#include <heddle/scene/load.h>
#include <heddle/study/convergence.h>

namespace heddle {

/// Errors of a method on a scene at its end: the largest distance of a vertex from where it is with the
/// reference method and steps four times shorter than the shortest one. Steps that the simulation has to cut
/// count as they are. Fails with the scene's own errors.
Result<Convergence> scene_convergence(const SceneDescription& scene, const Method& method,
                                      const Method& reference, const std::vector<double>& steps,
                                      const Catalogue& catalogue);

}  // namespace heddle
