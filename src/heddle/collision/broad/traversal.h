#pragma once

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/collision/broad/test_task.h>
#include <heddle/parallel/scheduler.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace heddle {

/// Runs a tree of tests, depth first, on all threads. `Search` answers
///   visit(test, task): does one test; puts the tests that follow from it on the task's stack, first one
///   last; children(test, out) -> int: the tests a test splits into, in depth-first order; 0 for the
///   smallest.
/// Which children a test has must depend on nothing but the test. Then tasks cut out of the stack in whatever
/// way, put together in order, find the same pairs in the same order as one thread.
template <class Search>
class Traversal {
 public:
  explicit Traversal(const Search& search) : search_(search) {}

  void run(const BroadPhaseOptions& options, CandidatePairs& out, BroadPhaseReport& report) {
    store_.clear();
    busy_.assign(static_cast<size_t>(worker_count()), 0.0);
    if (scratch_.size() < busy_.size()) scratch_.resize(busy_.size());
    first_ = nullptr;
    if (worker_count() == 1)
      run_alone();
    else if (options.strategy == TaskStrategy::fixed)
      run_fixed();
    else if (options.strategy == TaskStrategy::estimate)
      run_estimate();
    else
      run_dynamic(options);
    concatenate(*first_, out);
    summarise(report);
  }

  /// Forgets what earlier searches have cost: the tree has changed.
  void forget() { known_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr VolumeTest kRoot{0, 0};
  static constexpr int kPartsPerWorker = 8;
  static constexpr std::int64_t kSmallestWork = 500;  // visits that are worth a task

  struct KnownWork {
    std::uint64_t key;
    std::int64_t work;
  };

  /// Adds the time of a piece of work to the worker that does it.
  template <class Work>
  void timed(const Work& work) {
    const auto start = Clock::now();
    work(scratch_[static_cast<size_t>(worker_index())]);
    busy_[static_cast<size_t>(worker_index())] += std::chrono::duration<double>(Clock::now() - start).count();
  }

  void run_to_end(TestTask& task, WorkerScratch& scratch) {
    task.scratch = &scratch;
    while (!task.stack.empty()) do_next(task);
  }

  void do_next(TestTask& task) {
    const VolumeTest test = task.stack.back();
    task.stack.pop_back();
    ++task.visits;
    search_.visit(test, task);
  }

  void run_alone() {
    first_ = &store_.add();
    first_->stack.push_back(kRoot);
    timed([&](WorkerScratch& scratch) { run_to_end(*first_, scratch); });
  }

  // --- dynamic: Thomaszewski 2010, 5.3.3. The pool and its stealing are TBB's. ---

  void run_dynamic(const BroadPhaseOptions& options) {
    first_ = &store_.add();
    first_->stack.push_back(kRoot);
    waiting_ = 0;
    TaskGroup group;
    timed([&](WorkerScratch& scratch) { run_splitting(*first_, options, group, scratch); });
    group.wait();
  }

  void run_splitting(TestTask& task, const BroadPhaseOptions& options, TaskGroup& group,
                     WorkerScratch& scratch) {
    task.scratch = &scratch;
    while (!task.stack.empty()) {
      do_next(task);
      const size_t limit = static_cast<size_t>(options.task_slope * waiting_.load(std::memory_order_relaxed) +
                                               options.task_base);
      if (task.stack.size() > limit) split(task, limit / 2, options, group);
    }
  }

  /// Gives the bottom of the stack, the work of which comes last, to a new task.
  void split(TestTask& task, size_t tests, const BroadPhaseOptions& options, TaskGroup& group) {
    TestTask& rest = store_.add();
    const auto bottom = task.stack.begin(), cut = bottom + static_cast<std::ptrdiff_t>(tests);
    rest.stack.assign(bottom, cut);
    task.stack.erase(bottom, cut);
    rest.next = task.next;
    task.next = &rest;
    ++waiting_;
    group.run([this, &rest, &options, &group] {
      --waiting_;
      timed([&](WorkerScratch& scratch) { run_splitting(rest, options, group, scratch); });
    });
  }

  // --- fixed and estimate: the tests near the root are done here, what follows is cut into tasks ---

  /// A test, and the visits below it: expected before the search, counted after it.
  struct Piece {
    VolumeTest test;
    std::int64_t work;
    int parent;  // in pieces_
  };

  /// Does tests from the root on, as long as too_large(piece) and there is anything below; what remains is
  /// the front, in depth-first order.
  template <class TooLarge>
  void cut(const TooLarge& too_large) {
    first_ = &store_.add();
    first_->scratch = &scratch_[static_cast<size_t>(worker_index())];
    pieces_.assign(1, {kRoot, expected(kRoot, kPartsPerWorker * worker_count() * kSmallestWork), -1});
    front_.assign(1, 0);
    for (bool changed = true; changed;) {
      changed = false;
      finer_.clear();
      for (const int piece : front_) {
        if (too_large(pieces_[static_cast<size_t>(piece)]) && expand(piece))
          changed = true;
        else
          finer_.push_back(piece);
      }
      front_.swap(finer_);
    }
  }

  /// Does the test of a piece and adds the tests that follow; false for the smallest tests.
  bool expand(int piece) {
    Piece& whole = pieces_[static_cast<size_t>(piece)];
    std::array<VolumeTest, 3> unused;
    if (search_.children(whole.test, unused) == 0) return false;
    search_.visit(whole.test, *first_);
    const std::int64_t share = whole.work / 2;
    whole.work = 1;
    for (; !first_->stack.empty(); first_->stack.pop_back()) {
      const VolumeTest test = first_->stack.back();
      finer_.push_back(static_cast<int>(pieces_.size()));
      pieces_.push_back({test, expected(test, share), piece});
    }
    return true;
  }

  /// One part of the tree for each worker, against itself and against the others; dealt round robin, whatever
  /// they cost (Thomaszewski 2010, 5.3.1).
  void run_fixed() {
    const int workers = worker_count();
    const auto is_part = [](const VolumeTest& test) { return test.a == test.b; };
    const auto parts = [&] {
      return std::ranges::count_if(front_,
                                   [&](int i) { return is_part(pieces_[static_cast<size_t>(i)].test); });
    };
    cut([&](const Piece& piece) { return is_part(piece.test) && parts() < workers; });
    chain_front(1);
    TaskGroup group;
    for (int worker = 0; worker < workers; ++worker)
      group.run([this, worker, workers] {
        timed([&](WorkerScratch& scratch) {
          for (size_t i = static_cast<size_t>(worker); i < chain_.size(); i += static_cast<size_t>(workers))
            run_to_end(*chain_[i], scratch);
        });
      });
    group.wait();
  }

  /// Runs of the front with about the same work, as counted in the last search, make a task
  /// (Garments 2007 tutorial, 5.8.3).
  void run_estimate() {
    const std::int64_t total = expected(kRoot, 0);
    const std::int64_t part = std::max(kSmallestWork, total / (kPartsPerWorker * worker_count()));
    cut([&](const Piece& piece) { return piece.work > part; });
    chain_front(part);
    TaskGroup group;
    for (size_t i = 0; i < chain_.size(); ++i)
      group.run([this, i] { timed([&](WorkerScratch& scratch) { run_counting(i, scratch); }); });
    group.wait();
    remember();
  }

  void run_counting(size_t i, WorkerScratch& scratch) {
    TestTask& task = *chain_[i];
    task.scratch = &scratch;
    // The first test of the run is on top; when its descendants are done the stack is one shorter.
    for (size_t item = chain_begin_[i]; !task.stack.empty(); ++item) {
      const size_t left = task.stack.size() - 1;
      const std::int64_t before = task.visits;
      do_next(task);
      while (task.stack.size() > left) do_next(task);
      pieces_[static_cast<size_t>(front_[item])].work = task.visits - before;
    }
  }

  /// Tasks from runs of the front whose work is about `part`, chained in order.
  void chain_front(std::int64_t part) {
    chain_.clear();
    chain_begin_.clear();
    const auto piece = [&](size_t i) -> const Piece& { return pieces_[static_cast<size_t>(front_[i])]; };
    TestTask* last = first_;
    for (size_t begin = 0, end; begin < front_.size(); begin = end) {
      std::int64_t work = 0;
      for (end = begin; end < front_.size() && (end == begin || work + piece(end).work <= part); ++end)
        work += piece(end).work;
      TestTask& task = store_.add();
      for (size_t i = end; i-- > begin;) task.stack.push_back(piece(i).test);
      last = last->next = &task;
      chain_.push_back(&task);
      chain_begin_.push_back(begin);
    }
  }

  static std::uint64_t key(const VolumeTest& test) {
    return static_cast<std::uint64_t>(test.a) << 32 | static_cast<std::uint32_t>(test.b);
  }

  /// The work below a test in the last search, if it was counted.
  std::int64_t expected(const VolumeTest& test, std::int64_t otherwise) const {
    const auto found = std::ranges::lower_bound(known_, key(test), {}, &KnownWork::key);
    return found != known_.end() && found->key == key(test) ? found->work : otherwise;
  }

  /// Adds up the work from the front to the root and keeps it for the next search.
  void remember() {
    known_.clear();
    for (size_t i = pieces_.size(); i-- > 0;) {
      const Piece& piece = pieces_[i];
      if (piece.parent >= 0) pieces_[static_cast<size_t>(piece.parent)].work += piece.work;
      known_.push_back({key(piece.test), piece.work});
    }
    std::ranges::sort(known_, {}, &KnownWork::key);
  }

  void summarise(BroadPhaseReport& report) const {
    report.volume_tests = report.triangle_pairs = report.flat_patches = 0;
    for (const TestTask* task = first_; task; task = task->next) {
      report.volume_tests += task->volume_tests;
      report.triangle_pairs += task->triangle_pairs;
      report.flat_patches += task->flat_patches;
    }
    report.tasks = store_.size();
    report.busy = busy_;
  }

  const Search& search_;
  TaskStore store_;
  TestTask* first_ = nullptr;
  std::atomic<int> waiting_{0};
  std::vector<double> busy_;            // by worker
  std::vector<WorkerScratch> scratch_;  // by worker
  std::vector<Piece> pieces_;
  std::vector<int> front_, finer_;  // in pieces_
  std::vector<KnownWork> known_;    // ascending
  std::vector<TestTask*> chain_;
  std::vector<size_t> chain_begin_;
};

}  // namespace heddle
