#include <heddle/parallel/chunk_colouring.h>
#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

namespace heddle {
namespace {

/// Edges of a closed chain: neighbouring runs share a node.
std::vector<int> chain(int elements) {
  std::vector<int> nodes;
  for (int e = 0; e < elements; ++e) {
    nodes.push_back(e);
    nodes.push_back((e + 1) % elements);
  }
  return nodes;
}

TEST(ChunkColouring, VisitsEveryElementOnce) {
  constexpr int kElements = 1000;
  const ChunkColouring colouring(chain(kElements), 2, kElements);
  std::vector<std::atomic<int>> visits(kElements);
  colouring.for_elements([&](int begin, int end) {
    for (int e = begin; e < end; ++e) ++visits[static_cast<size_t>(e)];
  });
  for (const auto& count : visits) EXPECT_EQ(count, 1);
  EXPECT_GE(colouring.colour_count(), 2);
}

TEST(ChunkColouring, RunsThatShareANodeNeverOverlap) {
  constexpr int kElements = 2000;
  const std::vector<int> nodes = chain(kElements);
  const ChunkColouring colouring(nodes, 2, kElements);
  std::vector<std::atomic<int>> users(kElements);
  std::atomic<int> clashes = 0;
  ThreadPool(4).run([&] {
    for (int repeat = 0; repeat < 20; ++repeat)
      colouring.for_elements([&](int begin, int end) {
        // Within a run a node belongs to two elements, so a node is taken once by its first element only.
        for (int e = begin; e < end; ++e)
          if (users[static_cast<size_t>(e)]++ != 0) ++clashes;
        const auto last = static_cast<size_t>(nodes[static_cast<size_t>(2 * (end - 1) + 1)]);
        if (users[last]++ != 0) ++clashes;
        --users[last];
        for (int e = begin; e < end; ++e) --users[static_cast<size_t>(e)];
      });
  });
  EXPECT_EQ(clashes, 0);
}

TEST(ChunkColouring, ScattersTheSameBitsForAnyNumberOfThreads) {
  constexpr int kElements = 5000;
  const std::vector<int> nodes = chain(kElements);
  const ChunkColouring colouring(nodes, 2, kElements);
  const auto scatter = [&] {
    std::vector<double> sum(kElements, 0.1);
    colouring.for_elements([&](int begin, int end) {
      for (int e = begin; e < end; ++e)
        for (const int i : {0, 1})
          sum[static_cast<size_t>(nodes[static_cast<size_t>(2 * e + i)])] +=
              std::sin(e) * std::pow(10, e % 17);
    });
    return sum;
  };
  const std::vector<double> expected = ThreadPool(1).run(scatter);
  EXPECT_EQ(ThreadPool(2).run(scatter), expected);
  EXPECT_EQ(ThreadPool(4).run(scatter), expected);
}

TEST(ChunkColouring, OfNothingCallsNothing) {
  const ChunkColouring colouring({}, 2, 0);
  colouring.for_elements([](int, int) { FAIL(); });
}

}  // namespace
}  // namespace heddle
