#pragma once

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/collision/broad/test_task.h>
#include <heddle/parallel/tasks.h>

#include <array>
#include <atomic>
#include <chrono>
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
  void forget() { front_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr VolumeTest kRoot{0, 0};
  static constexpr int kPartsPerWorker = 8;
  static constexpr int kLongestFront = 512;
  static constexpr std::int64_t kSmallestWork = 500;  // visits that are worth a task

  /// A test of the front with the visits it took last time.
  struct FrontTest {
    VolumeTest test;
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

  // --- fixed: Thomaszewski 2010, 5.3.1 ---

  /// As many tests as it takes for every worker to get several; dealt round robin, whatever they cost.
  void run_fixed() {
    front_.assign(1, {kRoot, 1});
    while (static_cast<int>(front_.size()) < 2 * worker_count() && split_front(0)) {
    }
    add_front_tasks(1);
    TaskGroup group;
    const int workers = worker_count();
    for (int worker = 0; worker < workers; ++worker)
      group.run([this, worker, workers] {
        timed([&](WorkerScratch& scratch) {
          for (size_t i = static_cast<size_t>(worker); i < chain_.size(); i += static_cast<size_t>(workers))
            run_to_end(*chain_[i], scratch);
        });
      });
    group.wait();
    front_.clear();
  }

  // --- estimate: Garments 2007 tutorial, 5.8.3 ---

  /// The front of tests that the last search was cut into is refined where it cost much; runs of tests of
  /// about the same work make a task.
  void run_estimate() {
    if (front_.empty() || front_.size() > kLongestFront) front_.assign(1, {kRoot, kSmallestWork + 1});
    std::int64_t total = 0;
    for (const FrontTest& item : front_) total += item.work;
    const std::int64_t part = std::max(kSmallestWork, total / (kPartsPerWorker * worker_count()));
    while (split_front(part)) {
    }
    add_front_tasks(part);
    TaskGroup group;
    for (size_t i = 0; i < chain_.size(); ++i)
      group.run([this, i] { timed([&](WorkerScratch& scratch) { run_counting(i, scratch); }); });
    group.wait();
  }

  void run_counting(size_t i, WorkerScratch& scratch) {
    TestTask& task = *chain_[i];
    task.scratch = &scratch;
    const size_t begin = chain_begin_[i];
    // The first test of the run is on top; when its descendants are done the stack is one shorter.
    for (size_t item = begin; !task.stack.empty(); ++item) {
      const size_t left = task.stack.size() - 1;
      const std::int64_t before = task.visits;
      do_next(task);
      while (task.stack.size() > left) do_next(task);
      front_[item].work = task.visits - before;
    }
  }

  /// Replaces each test of the front that costs more than `part` by its children. False if nothing changed.
  bool split_front(std::int64_t part) {
    finer_.clear();
    for (const FrontTest& item : front_) {
      std::array<VolumeTest, 3> children;
      const int count = item.work > part ? search_.children(item.test, children) : 0;
      for (int i = 0; i < count; ++i)
        finer_.push_back({children[static_cast<size_t>(i)], part > 0 ? item.work / count : 1});
      if (count == 0) finer_.push_back(item);
    }
    const bool changed = finer_.size() > front_.size();
    front_.swap(finer_);
    return changed;
  }

  /// Tasks from runs of the front whose work is about `part`, chained in order.
  void add_front_tasks(std::int64_t part) {
    chain_.clear();
    chain_begin_.clear();
    for (size_t begin = 0, end; begin < front_.size(); begin = end) {
      std::int64_t work = 0;
      for (end = begin; end < front_.size() && (end == begin || work + front_[end].work <= part); ++end)
        work += front_[end].work;
      TestTask& task = store_.add();
      for (size_t i = end; i-- > begin;) task.stack.push_back(front_[i].test);
      if (!chain_.empty()) chain_.back()->next = &task;
      chain_.push_back(&task);
      chain_begin_.push_back(begin);
    }
    first_ = chain_.front();
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
  std::vector<FrontTest> front_, finer_;
  std::vector<TestTask*> chain_;
  std::vector<size_t> chain_begin_;
};

}  // namespace heddle
