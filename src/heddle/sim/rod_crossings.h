#pragma once

#include <heddle/mesh/curves.h>

#include <array>
#include <optional>

namespace heddle {

/// Two segments of a curve that are nearer to each other than rods of its thickness can be.
struct Crossing {
  std::array<int, 2> segments{};
  double distance = 0;        // m
  Vec3 place = Vec3::Zero();  // m
};

/// Segments that share a point, or are within a few radii of each other along the curve, do not count.
std::optional<Crossing> find_crossing(const CurveNet& net, double radius);

}  // namespace heddle
