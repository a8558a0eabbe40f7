#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace heddle {

/// Threads that may work for the caller, at least 1.
inline int worker_count() {
  return tbb::this_task_arena::max_concurrency();
}

/// Which of them runs this code, from 0 to worker_count() - 1.
inline int worker_index() {
  const int index = tbb::this_task_arena::current_thread_index();
  return index < 0 ? 0 : index;
}

/// Calls body(begin, end) on ranges that together are [0, items), in parallel.
template <class Body>
void for_ranges(int items, const Body& body) {
  tbb::parallel_for(
      tbb::blocked_range<int>(0, items, 1),
      [&](const tbb::blocked_range<int>& range) { body(range.begin(), range.end()); },
      tbb::static_partitioner());
}

/// Runs the body, and all parallel work it starts, on the calling thread alone: for libraries whose result
/// depends on the order in which their own tasks finish.
template <class Body>
void on_one_thread(const Body& body) {
  tbb::task_arena arena(1);
  arena.execute(body);
}

/// Tasks that may start further tasks; idle threads take them from busy ones.
class TaskGroup {
 public:
  template <class Body>
  void run(const Body& body) {
    group_.run(body);
  }
  /// Returns when all tasks, and those they started, have ended.
  void wait() { group_.wait(); }

 private:
  tbb::task_group group_;
};

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
