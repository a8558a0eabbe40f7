#pragma once

#include <heddle/contact/friction.h>

#include <algorithm>
#include <span>
#include <utility>

namespace heddle {

/// What the parts of ObstacleContact have in common.

/// Tangential speeds below this count as standing still, m/s.
inline constexpr double kStandstill = 1e-6;

/// What is deep in an obstacle comes out at this speed, m/s, and not at once: no step could bear that.
inline constexpr double kFastestExit = 3;

/// Of a particle that slides with `speed` (m/s) while it is pressed against a surface with `approach` (m/s).
inline double speed_lost(double speed, const Friction& friction, double approach) {
  return speed <= friction.resting * approach ? speed : friction.sliding * approach;
}

inline bool is_among(std::span<const int> sorted, int particle) {
  return std::binary_search(sorted.begin(), sorted.end(), particle);
}

inline constexpr auto by_pair = [](const auto& a, const auto& b) {
  return std::pair(a.particle, a.obstacle) < std::pair(b.particle, b.obstacle);
};

}  // namespace heddle
