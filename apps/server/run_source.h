#pragma once

#include <heddle/core/result.h>
#include <heddle/io/run_folder.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// Where the server finds what it shows. The server's threads call it, several at once.
class RunSource {
 public:
  virtual ~RunSource() = default;

  virtual const SnapshotModel& model() const = 0;
  /// Numbers of the frames present now, ascending; the list of a run in progress grows.
  virtual std::vector<std::int64_t> frames() const = 0;
  virtual Result<Snapshot> frame(std::int64_t index) const = 0;
  /// metrics.csv as far as it is written; empty if there is none.
  virtual std::string metrics_csv() const = 0;
  /// run.json; "{}" if there is none.
  virtual std::string run_json() const = 0;
};

/// A run folder, listed anew at every question so that a run in progress shows its new frames.
class RunFolderSource : public RunSource {
 public:
  explicit RunFolderSource(RunReader reader) : reader_(std::move(reader)) {}

  const RunReader& reader() const { return reader_; }
  const SnapshotModel& model() const override { return reader_.model(); }
  std::vector<std::int64_t> frames() const override { return reader_.folder().frame_indices(); }
  Result<Snapshot> frame(std::int64_t index) const override;
  std::string metrics_csv() const override;
  std::string run_json() const override;

 private:
  RunReader reader_;
};

}  // namespace heddle
