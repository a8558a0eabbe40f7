#pragma once

#include <heddle/core/result.h>
#include <heddle/io/snapshot.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

/// Names of the files in a run folder; everything that reads or writes one asks here.
///   run.json        scene, version, settings, status           metrics.csv   one line a step
///   model.snap      the SnapshotModel                           frames/000000.snap …  one Snapshot each
///   checkpoints/    states to resume from                       export/       caches in other formats
///   run.lock        only while a run is writing, see RunLock
///   workers.csv     a line for each frame and worker
class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path run_json() const { return root_ / "run.json"; }
  std::filesystem::path metrics_csv() const { return root_ / "metrics.csv"; }
  std::filesystem::path workers_csv() const { return root_ / "workers.csv"; }
  std::filesystem::path model() const { return root_ / "model.snap"; }
  std::filesystem::path frames() const { return root_ / "frames"; }
  std::filesystem::path frame(std::int64_t index) const;
  std::filesystem::path checkpoints() const { return root_ / "checkpoints"; }
  std::filesystem::path exports() const { return root_ / "export"; }
  std::filesystem::path lock() const { return root_ / "run.lock"; }

  /// Indices of the complete frames present, ascending.
  std::vector<std::int64_t> frame_indices() const;

 private:
  std::filesystem::path root_;
};

/// Errors name the file and what is wrong with it (missing, truncated, damaged, foreign, newer version).
Result<SnapshotModel> read_model(const std::filesystem::path& file);
Result<Snapshot> read_snapshot(const std::filesystem::path& file);
/// Written whole or not at all.
Status write_model(const std::filesystem::path& file, const SnapshotModel& model);
Status write_snapshot(const std::filesystem::path& file, const Snapshot& snapshot);

/// A run opened for reading: its model and access to its frames.
class RunReader {
 public:
  static Result<RunReader> open(const std::filesystem::path& folder);

  const RunFolder& folder() const { return folder_; }
  const SnapshotModel& model() const { return model_; }
  int frame_count() const { return static_cast<int>(indices_.size()); }
  const std::vector<std::int64_t>& frame_indices() const { return indices_; }
  /// The last frame that the run wrote, by its record and its files, whether it is still there or not; -1 if
  /// there is none.
  std::int64_t last_frame() const { return last_frame_; }
  /// `position` counts the frames present from 0.
  Result<Snapshot> read(int position) const;

 private:
  RunReader(RunFolder folder, SnapshotModel model, std::vector<std::int64_t> indices, std::int64_t last_frame)
      : folder_(std::move(folder)),
        model_(std::move(model)),
        indices_(std::move(indices)),
        last_frame_(last_frame) {}
  RunFolder folder_;
  SnapshotModel model_;
  std::vector<std::int64_t> indices_;
  std::int64_t last_frame_;
};

}  // namespace heddle
