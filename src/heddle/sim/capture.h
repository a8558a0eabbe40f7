#pragma once

#include <heddle/io/snapshot.h>
#include <heddle/sim/model.h>

namespace heddle {

/// The drawable part of the model: cloths first, then obstacles.
SnapshotModel capture_model(const Model& model, const State& start);
/// The state as an immutable picture.
Snapshot capture(const Model& model, const State& state, std::int64_t frame);

}  // namespace heddle
