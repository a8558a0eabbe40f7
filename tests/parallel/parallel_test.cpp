#include <heddle/parallel/parallel.h>
#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

namespace heddle {
namespace {

TEST(Parallel, VisitsEveryItemOnce) {
  for (const int items : {0, 1, 1023, 1024, 1025, 10000}) {
    std::vector<std::atomic<int>> visits(static_cast<size_t>(items));
    parallel_for(items, [&](int i) { ++visits[static_cast<size_t>(i)]; });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(Parallel, ChunksCoverTheRangeInOrder) {
  std::vector<std::pair<int, int>> ranges(4);
  for_chunks(
      10,
      [&](int begin, int end, int chunk) {
        ranges[static_cast<size_t>(chunk)] = {begin, end};
      },
      3);
  EXPECT_EQ(ranges, (std::vector<std::pair<int, int>>{{0, 3}, {3, 6}, {6, 9}, {9, 10}}));
}

/// A sum whose last bits depend on the order of additions.
double delicate_sum() {
  std::vector<double> partial;
  return ordered_sum(100000, 0.0, partial, [](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += std::sin(i) * std::exp(i % 40);
    return sum;
  });
}

TEST(Parallel, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  const double expected = ThreadPool(1).run(delicate_sum);
  for (const int threads : {2, 3, 4})
    for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(ThreadPool(threads).run(delicate_sum), expected);
}

TEST(Parallel, SumOfNothingIsZero) {
  std::vector<double> partial{1, 2};
  EXPECT_EQ(ordered_sum(0, 0.0, partial, [](int, int) { return 1.0; }), 0.0);
}

TEST(Parallel, OneThreadStaysOnTheCallingThread) {
  std::set<std::thread::id> seen;
  std::mutex guard;
  on_one_thread([&] {
    parallel_for(
        1000,
        [&](int) {
          const std::lock_guard lock(guard);
          seen.insert(std::this_thread::get_id());
        },
        1);
  });
  EXPECT_EQ(seen, std::set{std::this_thread::get_id()});
}

TEST(ThreadPool, HasAsManyThreadsAsAskedFor) {
  EXPECT_EQ(ThreadPool(3).thread_count(), 3);
  EXPECT_GE(ThreadPool().thread_count(), 1);
  EXPECT_EQ(ThreadPool(2).run([] { return 42; }), 42);
}

}  // namespace
}  // namespace heddle
