#pragma once

#include <heddle/core/random.h>
#include <heddle/dynamics/system.h>
#include <heddle/forces/rod/rod.h>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <vector>

namespace heddle::test {

inline Vec3 random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// A section for which stretch, bending and twist matter about as much as each other.
inline RodSection soft_section() {
  return {.radius = 0.02, .density = 1000, .young = 3e5, .shear = 2e5, .stretch = 4e4};
}

/// A bent and twisted row of segments.
inline RodShape crooked_row(int nodes, bool closed, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < nodes; ++i) {
    const double a = 6.28 * i / nodes;
    points.push_back(0.3 * Vec3(std::cos(a), std::sin(a), 0.3 * std::sin(2 * a)) +
                     0.02 * random_vector(random));
  }
  return rod_through(points, closed, 1.3);
}

/// Four segments that meet in one node, two of them running into it.
inline RodShape crooked_star() {
  RodShape shape;
  shape.nodes = {{0, 0, 0}, {0.1, 0.01, 0}, {-0.02, 0.1, 0.03}, {-0.1, 0, 0.02}, {0.03, -0.02, 0.1}};
  shape.segments = {{0, 1}, {2, 0}, {0, 3}, {4, 0}};
  for (const auto& [a, b] : shape.segments) {
    const Vec3 edge = shape.nodes[static_cast<size_t>(b)] - shape.nodes[static_cast<size_t>(a)];
    shape.frames.push_back(turned_to(Quat::Identity(), edge));
    shape.rest_lengths.push_back(edge.norm());
  }
  shape.rest_frames = shape.frames;
  return shape;
}

inline std::vector<double> flat(const std::vector<Vec3>& values) {
  std::vector<double> out;
  for (const Vec3& value : values) out.insert(out.end(), value.begin(), value.end());
  return out;
}

}  // namespace heddle::test
