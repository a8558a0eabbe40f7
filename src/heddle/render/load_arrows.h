#pragma once

#include <heddle/render/element_colours.h>
#include <heddle/render/surface.h>

namespace heddle {

/// Magnetic forces as straight arrows, which begin where they leave their objects, and torques as bent ones
/// around the objects, right-handed about the torque. The strongest of each is the longest.
struct LoadArrows {
  Surface surface;
  std::vector<ColourKey> legend;
};
LoadArrows load_arrows(const SnapshotModel& model, const Snapshot& snapshot);

}  // namespace heddle
