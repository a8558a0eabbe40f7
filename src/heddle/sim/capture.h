#pragma once

#include <heddle/io/snapshot.h>
#include <heddle/sim/model.h>

#include <span>

namespace heddle {

/// The drawable part of the model: cloths first, then obstacles.
SnapshotModel capture_model(const Model& model, const State& start);
/// The state as an immutable picture. `pressures`: of other surfaces on the particles, N, beside those of
/// obstacles that the state knows; empty for none.
Snapshot capture(const Model& model, const State& state, std::int64_t frame,
                 std::span<const double> pressures = {});

}  // namespace heddle
