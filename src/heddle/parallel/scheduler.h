#pragma once

// Who runs parallel work. The rest of Heddle knows only these names:
//   worker_count, worker_index, for_ranges, on_one_thread, TaskGroup, ThreadPool

#if defined(__SANITIZE_THREAD__)
#define HEDDLE_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEDDLE_THREAD_SANITIZER 1
#endif
#endif

// The thread sanitizer does not see how Debian's TBB orders memory and would report every loop as a race.
#ifdef HEDDLE_THREAD_SANITIZER
#include <heddle/parallel/scheduler_threads.h>
#else
#include <heddle/parallel/scheduler_tbb.h>
#endif
