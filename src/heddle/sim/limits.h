#pragma once

#include <heddle/constraints/strain_limiter.h>
#include <heddle/scene/scene_description.h>
#include <heddle/sim/prepared_cloth.h>
#include <heddle/sim/simulation.h>

#include <memory>
#include <vector>

namespace heddle {

/// The strains that a fabric allows.
StrainBounds strain_bounds(const Fabric& fabric);

/// Adds the faces of a cloth whose fabric has limits, or all.
void add_limited_faces(const PreparedCloth& cloth, bool all, LimitedFaces& faces);

/// Null if there is nothing to limit. Reports limits that nothing asks for.
std::unique_ptr<StrainLimiter> make_limiter(const SceneDescription& scene, LimitedFaces faces,
                                            int particle_count, Diagnostics& diagnostics);

/// How far every vertex of a cloth can be from one of them while all edges keep the limits of their faces, m;
/// infinite if nothing limits it.
std::vector<double> reach(const PreparedCloth& cloth, int from);

/// Warns of cloth that starts beyond its limits.
void check_limits(const Simulation& simulation, const SceneDescription& scene, Diagnostics& found);

}  // namespace heddle
