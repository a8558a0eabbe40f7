#pragma once

// The names of scheduler_tbb.h on plain threads, made anew for every loop: slow, but nothing is hidden from
// the thread sanitizer.

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace heddle {

namespace plain_threads {

inline int processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// What the current thread belongs to.
struct Place {
  int workers = processors();
  int index = 0;
  bool in_loop = false;  // loops inside a loop run where they are
};
inline thread_local Place place;

class Visit {
 public:
  explicit Visit(const Place& visited) : before_(std::exchange(place, visited)) {}
  ~Visit() { place = before_; }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  Place before_;
};

/// Calls body(worker) once for each of the workers, at the same time; throws what one of them threw.
template <class Body>
void on_all(int workers, const Body& body) {
  const Place here = place;
  std::vector<std::exception_ptr> thrown(static_cast<size_t>(workers));
  const auto work = [&](int worker) {
    const Visit visit({here.workers, worker, true});
    try {
      body(worker);
    } catch (...) {
      thrown[static_cast<size_t>(worker)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
    work(0);
  }
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
}

}  // namespace plain_threads

inline int worker_count() {
  return plain_threads::place.workers;
}

inline int worker_index() {
  return plain_threads::place.index;
}

template <class Body>
void for_ranges(int items, const Body& body) {
  if (items <= 0) return;
  const int workers = plain_threads::place.in_loop ? 1 : std::min(worker_count(), items);
  if (workers == 1) return body(0, items);
  plain_threads::on_all(workers, [&](int worker) {
    const auto start = [&](long part) { return static_cast<int>(items * part / workers); };
    body(start(worker), start(worker + 1));
  });
}

template <class Body>
void on_one_thread(const Body& body) {
  const plain_threads::Visit visit({1, 0, false});
  body();
}

class TaskGroup {
 public:
  void run(std::function<void()> body) {
    const std::lock_guard lock(guard_);
    waiting_.push_back(std::move(body));
    ++unfinished_;
    changed_.notify_one();
  }

  void wait() {
    if (plain_threads::place.in_loop) return work();
    plain_threads::on_all(worker_count(), [&](int) { work(); });
  }

 private:
  void work() {
    std::unique_lock lock(guard_);
    while (true) {
      changed_.wait(lock, [&] { return !waiting_.empty() || unfinished_ == 0; });
      if (waiting_.empty()) return;
      const std::function<void()> body = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      {
        const Finished finished{*this};
        body();
      }
      lock.lock();
    }
  }

  /// A task has ended, by returning or throwing.
  struct Finished {
    TaskGroup& group;
    ~Finished() {
      const std::lock_guard lock(group.guard_);
      if (--group.unfinished_ == 0) group.changed_.notify_all();
    }
  };

  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  int unfinished_ = 0;
};

class ThreadPool {
 public:
  explicit ThreadPool(int threads = 0) : threads_(threads > 0 ? threads : plain_threads::processors()) {}

  int thread_count() const { return threads_; }

  template <class Body>
  auto run(const Body& body) {
    const plain_threads::Visit visit({threads_, 0, false});
    return body();
  }

 private:
  int threads_;
};

}  // namespace heddle
