#include "test_meshes.h"

#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}

#ifndef HEDDLE_THREAD_SANITIZER  // which brings its own
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif

namespace heddle {
namespace {

CandidatePairs run(const CollisionCase& c, std::string_view name, int threads,
                   const BroadPhaseOptions& options, BroadPhaseReport* report = nullptr, int repeats = 2) {
  CandidatePairs pairs;
  ThreadPool pool(threads);
  pool.run([&] {
    const auto broad_phase = c.make(name, options);
    for (int i = 0; i < repeats; ++i) {
      broad_phase->update(c.begin, c.end, c.margin);
      broad_phase->find(pairs);
    }
    if (report) *report = broad_phase->report();
  });
  return pairs;
}

TEST(Traversal, OrderAndPairsDependNeitherOnThreadsNorOnTasks) {
  for (const CollisionCase& c : {crumpled_case(40, 8, 0.6, 0.0), crumpled_case(40, 9, 0.3, 0.1)})
    for (const std::string_view name : {"bvh", "bvh6", "hash"}) {
      const CandidatePairs alone = run(c, name, 1, {});
      EXPECT_GT(alone.edge_edge.size(), 100u);
      for (const int threads : {2, 3, 5})
        for (const TaskStrategy strategy :
             {TaskStrategy::fixed, TaskStrategy::dynamic, TaskStrategy::estimate})
          for (const int base : {1, 8})
            EXPECT_EQ(run(c, name, threads, {.strategy = strategy, .task_base = base}), alone)
                << name << threads;
    }
}

TEST(Traversal, SmallCasesWorkWithTasksToo) {
  for (const CollisionCase& c : collision_cases())
    for (const TaskStrategy strategy : {TaskStrategy::fixed, TaskStrategy::dynamic, TaskStrategy::estimate})
      EXPECT_EQ(run(c, "bvh", 2, {.strategy = strategy}, nullptr, 4), run(c, "bvh", 1, {})) << c.name;
}

TEST(Traversal, WhatEarlierSearchesCostDoesNotChangeThePairs) {
  const CollisionCase calm = flat_case(40), wild = crumpled_case(40, 8, 0.6, 0.0);
  ThreadPool pool(2);
  pool.run([&] {
    const auto tree = calm.make("bvh", {.strategy = TaskStrategy::estimate});
    CandidatePairs pairs;
    for (const CollisionCase* c : {&wild, &wild, &calm, &wild, &calm, &calm}) {
      tree->update(c->begin, c->end, c->margin);
      tree->find(pairs);
      EXPECT_EQ(pairs, run(*c, "bvh", 1, {}));
    }
    EXPECT_EQ(tree->report().flat_patches, 1);
  });
}

TEST(Traversal, ReportsTheWorkOfEachThread) {
  const CollisionCase c = crumpled_case(40, 8, 0.6, 0.0);
  BroadPhaseReport alone, shared;
  run(c, "bvh", 1, {.cones = false}, &alone);
  run(c, "bvh", 3, {.cones = false}, &shared);
  EXPECT_EQ(alone.busy.size(), 1u);
  EXPECT_EQ(shared.busy.size(), 3u);
  EXPECT_GT(alone.busy[0], 0.0);
  EXPECT_EQ(alone.tasks, 1);
  EXPECT_GT(shared.tasks, 10);
  EXPECT_EQ(alone.volume_tests, shared.volume_tests);
}

TEST(Traversal, TakesNoMemoryOnceItHasRun) {
  const CollisionCase c = crumpled_case(40, 8, 0.6, 0.1);
  for (const std::string_view name : {"bvh", "hash"}) {
    ThreadPool pool(1);
    pool.run([&] {
      CandidatePairs pairs;
      const auto broad_phase = c.make(name);
      const auto once = [&] {
        broad_phase->update(c.begin, c.end, c.margin);
        broad_phase->find(pairs);
      };
      once();
      once();
      const long before = allocations;
      once();
      EXPECT_EQ(allocations - before, 0) << name;
    });
  }
}

}  // namespace
}  // namespace heddle
