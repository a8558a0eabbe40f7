#pragma once

#include <heddle/sim/run.h>

#include <optional>

namespace heddle {

/// Refuses folders that hold something else, and runs that nobody asked to replace or continue; `hash` is the
/// scene's. Whether another process writes there is RunLock's question.
Status claim_folder(const RunOptions& options, const SceneDescription& scene, const std::string& hash);

/// The record of a resumed run that has all frames to beyond `until` (s), with the status "unchanged"; empty
/// if there is something to do.
std::optional<RunRecord> record_beyond(const RunFolder& folder, double until, double frame_rate);

/// Removes the unfinished files of runs that were killed; only for the holder of the RunLock.
void remove_unfinished_files(const RunFolder& folder);

/// Removes what a run wrote, so that another can take its place.
Status remove_old_run(const RunFolder& folder);

}  // namespace heddle
