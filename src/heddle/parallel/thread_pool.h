#pragma once

#include <tbb/task_arena.h>

namespace heddle {

/// The threads that a simulation may use; everything parallel inside `run` stays within them.
class ThreadPool {
 public:
  /// 0 means all processors.
  explicit ThreadPool(int threads = 0) : arena_(threads > 0 ? threads : tbb::task_arena::automatic) {}

  int thread_count() { return arena_.max_concurrency(); }

  template <class Body>
  auto run(const Body& body) {
    return arena_.execute(body);
  }

 private:
  tbb::task_arena arena_;
};

}  // namespace heddle
