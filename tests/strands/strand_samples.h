#pragma once

#include <heddle/core/random.h>
#include <heddle/forces/rod/rod_frames.h>
#include <heddle/strands/strands.h>

#include <cmath>

namespace heddle::test {

inline Vec3 random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// Stretch, bending and twist matter about as much as each other.
inline StrandMaterial soft_strand() {
  StrandMaterial material;
  material.section = {.radius = 0.02, .density = 1000, .young = 3e5, .shear = 2e5, .stretch = 4e4};
  material.penalty = 30;
  return material;
}

/// A light cord for quick explicit steps.
inline StrandMaterial cord_strand() {
  StrandMaterial material;
  material.section = {.radius = 0.005, .density = 1300, .young = 1e6, .shear = 4e5, .stretch = 2e6};
  material.penalty = 100;
  return material;
}

inline RodShape straight_shape(double length, int segments, double twist = 0, const Vec3& from = Vec3::Zero(),
                               const Vec3& direction = Vec3::UnitX()) {
  std::vector<Vec3> points;
  for (int i = 0; i <= segments; ++i) points.push_back(from + length * i / segments * direction);
  return rod_through(std::move(points), false, twist);
}

/// A bent and twisted rod whose nodes and frames are a little off.
inline Strands crooked_strand(int nodes, bool closed, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < nodes; ++i) {
    const double a = 6.28 * i / nodes;
    points.push_back(0.3 * Vec3(std::cos(a), std::sin(a), 0.3 * std::sin(2 * a)) +
                     0.01 * random_vector(random));
  }
  Strands strands;
  strands.add(rod_through(points, closed, 1.3), soft_strand());
  for (StrandNode& node : strands.nodes) node.x += 0.01 * random_vector(random);
  for (StrandSegment& s : strands.segments)
    s.frame = s.frame * Quat(Eigen::AngleAxisd(0.2, random_vector(random).normalized()));
  return strands;
}

}  // namespace heddle::test
