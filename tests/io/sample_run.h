#pragma once

#include <heddle/io/run_folder.h>

namespace heddle {

inline constexpr int kSampleFrames = 5;

/// Two waving cloths, one with texture coordinates and two materials, a turning, moving tetrahedron, and an
/// obstacle that waves.
SnapshotModel sample_model();
Snapshot sample_snapshot(int frame);
/// Writes the model and kSampleFrames frames; false if anything failed.
bool write_sample_run(const std::filesystem::path& folder);

}  // namespace heddle
