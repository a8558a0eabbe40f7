#pragma once

#include <tbb/task_arena.h>

namespace heddle {

/// Runs the body, and all parallel work it starts, on the calling thread alone: for libraries whose result
/// depends on the order in which their own tasks finish.
template <class Body>
void on_one_thread(const Body& body) {
  tbb::task_arena arena(1);
  arena.execute(body);
}

}  // namespace heddle
