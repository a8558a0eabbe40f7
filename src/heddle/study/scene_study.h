#pragma once

#include <heddle/scene/load.h>
#include <heddle/study/convergence.h>
#include <heddle/study/critical_step.h>

namespace heddle {

/// Errors of a method on a scene at its end: the largest distance of a vertex from where it is with the
/// reference method and steps four times shorter than the shortest one. Steps that the simulation has to cut
/// count as they are. Fails with the scene's own errors.
Result<Convergence> scene_convergence(const SceneDescription& scene, const Method& method,
                                      const Method& reference, const std::vector<double>& steps,
                                      const Catalogue& catalogue);

/// The longest step with which a method takes `search.steps` steps of a scene without making energy: no more
/// than `search.margin` times what there was and what the outer forces of the start could do along the whole
/// scene, beside the work from outside. The forces and the pins of the scene act, obstacles, contact of
/// surfaces and limits of strain do not, and no step is cut; one that the method refuses counts as unstable.
/// As critical_step; `search.start` is not used.
Result<std::optional<double>> scene_critical_step(const SceneDescription& scene, const Method& method,
                                                  const CriticalSearch& search, const Catalogue& catalogue);

}  // namespace heddle
