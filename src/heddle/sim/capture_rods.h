#pragma once

#include <heddle/io/snapshot.h>
#include <heddle/sim/model.h>

#include <span>

namespace heddle {

/// Adds a rod as a tube with a stripe along d1, and its two colours as materials.
void add_drawable_rod(const RodPart& rod, const State& state, SnapshotModel& model);
/// Its strains are those of its surface: by stretch, by bending (as weft and warp), by twist (as shear).
/// `pressures` in N by particle.
SnapshotObjectFrame drawn_rod(const RodPart& rod, const State& state, std::span<const float> pressures);

}  // namespace heddle
