#pragma once

#include <heddle/io/run_record.h>
#include <heddle/scene/load.h>
#include <heddle/sim/step.h>

#include <functional>
#include <map>
#include <optional>

namespace heddle {

/// Where a run stands; told after every step.
struct RunProgress {
  std::int64_t step = 0;
  std::int64_t step_count = 0;
  std::int64_t frame = 0;
  std::int64_t frame_count = 0;
  double time = 0;            // s, simulated
  double seconds_left = 0;    // s, of the clock
  int solver_iterations = 0;  // of the last step
};

/// Writes a run into the one file `out`.
using FormatWriter = std::function<Status(const RunReader& run, const std::filesystem::path& out)>;

struct RunOptions {
  std::filesystem::path folder;
  int threads = 0;              // 0: all processors
  std::optional<double> until;  // s; otherwise the duration of the scene
  bool resume = false;
  bool overwrite = false;  // an earlier run in the folder is replaced
  /// Called once before the first step of a new or resumed run: the place to add terms to `model.system`.
  std::function<void(Simulation&)> prepare;
  /// Formats that a scene may ask for besides those of io/export.h, by name, which is also their ending.
  std::map<std::string, FormatWriter> more_formats;
  std::function<void(const RunProgress&)> progress;
  /// Called for each warning as soon as it is known; what is odd with the scene comes before the first step.
  std::function<void(const std::string&)> on_warning;
  /// Called before every step; once it was false the run goes on to the next whole frame and ends there with
  /// a checkpoint. May change `simulation.grab`.
  std::function<bool(Simulation&)> before_step;
  std::function<void(const SnapshotModel&, const Snapshot&)> on_start;
  std::function<void(const Snapshot&)> on_frame;
};

/// Runs a scene into a folder; the record says how it ended. A failed step is a record with status "failed",
/// not an error: errors are inputs and files that prevent the run. A run that is resumed to a time before its
/// last frame is left as it is, and the record returned has the status "unchanged".
Result<RunRecord> run(const LoadedScene& scene, const Catalogue& catalogue, const RunOptions& options);

/// The hash that tells whether two scenes are the same text.
Result<std::string> scene_hash(const LoadedScene& scene);

}  // namespace heddle
