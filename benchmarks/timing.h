#pragma once

#include <algorithm>
#include <chrono>

namespace heddle {

/// Shortest of several runs, in s: the others were disturbed.
template <class Work>
double best_seconds(int runs, const Work& work) {
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace heddle
