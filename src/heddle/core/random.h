#pragma once

#include <heddle/core/check.h>

#include <cstdint>

namespace heddle {

/// Seeded random numbers (splitmix64): the same sequence on every machine and compiler, which the
/// distributions of the standard library do not promise.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  /// In [0, 1), with all 53 bits random.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// In [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// A whole number in [0, count); `count` from 1 to 2^32.
  int64_t below(int64_t count) {
    HEDDLE_CHECK_GT(count, 0);
    HEDDLE_CHECK_LE(count, int64_t{1} << 32);
    return static_cast<int64_t>(((next() >> 32) * static_cast<uint64_t>(count)) >> 32);
  }

 private:
  uint64_t state_;
};

}  // namespace heddle
