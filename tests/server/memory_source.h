#pragma once

#include "synthetic_run.h"

#include "server/run_source.h"

namespace heddle::test {

/// A run of ten frames that exists only in memory; frame 9 cannot be read.
class MemorySource : public RunSource {
 public:
  explicit MemorySource(int cells = 4) : run_(cells) {}
  const SnapshotModel& model() const override { return run_.model(); }
  std::vector<std::int64_t> frames() const override { return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; }
  Result<Snapshot> frame(std::int64_t index) const override {
    if (index == 9) return failure({"frames/000009.snap"}, "is damaged", "run the scene again");
    return run_.frame(index, static_cast<double>(index) / 25);
  }
  std::string metrics_csv() const override { return "time,energy\n0,1\n0.04,2\n"; }
  std::string run_json() const override { return R"({"title": "test"})"; }

  const SyntheticRun& run() const { return run_; }

 private:
  SyntheticRun run_;
};

}  // namespace heddle::test
