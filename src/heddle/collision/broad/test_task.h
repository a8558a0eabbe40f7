#pragma once

#include <heddle/collision/broad/candidate_pairs.h>
#include <heddle/collision/broad/contours.h>
#include <heddle/collision/broad/patch_test.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace heddle {

/// Two nodes of a tree whose volumes are to be compared; equal nodes: what is below one against itself.
struct VolumeTest {
  int a, b;
  bool touching = true;  // may the patches below share an edge?
};

/// Memory that all tasks of a worker share.
struct WorkerScratch {
  LoopJoiner joiner;
  PatchScratch patch;
};

/// Part of a traversal: tests still to do, and what those done have found.
struct TestTask {
  std::vector<VolumeTest> stack;  // the last is done next
  CandidatePairs found;
  WorkerScratch* scratch = nullptr;  // of the worker that runs it
  std::int64_t visits = 0, volume_tests = 0, triangle_pairs = 0, flat_patches = 0;
  TestTask* next = nullptr;  // whose finds follow these in depth-first order

  void reset();
};

/// Tasks of one traversal. They keep their memory from one traversal to the next.
class TaskStore {
 public:
  /// Forgets all tasks.
  void clear() { used_ = 0; }
  /// An empty task that stays valid until clear; may be called by several threads.
  TestTask& add();
  int size() const { return static_cast<int>(used_); }

 private:
  std::mutex mutex_;
  std::deque<TestTask> tasks_;
  size_t used_ = 0;
};

/// The finds of a chain of tasks, one after the other.
void concatenate(const TestTask& first, CandidatePairs& out);

}  // namespace heddle
