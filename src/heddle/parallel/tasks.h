#pragma once

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

}  // namespace heddle
