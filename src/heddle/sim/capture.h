#pragma once

#include <heddle/io/snapshot.h>
#include <heddle/sim/simulation.h>

#include <span>

namespace heddle {

/// The drawable part of the model, as it starts: cloths first, then rods, then obstacles, then
/// bodies, which are drawn as obstacles.
SnapshotModel capture_model(const Simulation& sim);
/// The state as an immutable picture. `pressures`: of other surfaces on the particles, N, beside those of
/// obstacles that the state knows; empty for none. Elements are treated as in a step of length dt (s) from
/// this state, components are those of the last linear system.
Snapshot capture(const Simulation& sim, std::int64_t frame, double dt,
                 std::span<const double> pressures = {});

}  // namespace heddle
