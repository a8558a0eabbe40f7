#pragma once

#include <heddle/math/types.h>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace heddle {

struct IntersectionOptions {
  /// Triangles from this one on belong to obstacles: they are not tested against each other.
  int first_obstacle_triangle = std::numeric_limits<int>::max();
  bool between_cloths = true;  // test the triangles before that one against each other
  int max_pairs = 100;         // in the list; all are counted
};

struct Intersections {
  std::int64_t count = 0;
  std::vector<std::array<int, 2>> pairs;  // of triangles, the smaller index first, ascending
};

/// Counts the pairs of triangles that intersect, exactly; independent of the detection that a simulation
/// uses. Triangles that share no vertex (index) intersect if they have a point in common, touching included;
/// those that share one vertex, if they have another point in common; those that share an edge, if they are
/// folded flat on each other; those that share all three, always. Vertices of different index count as
/// different even where they coincide. Coordinates must be finite, indices valid. Takes time in proportion to
/// the pairs whose intervals overlap along one axis, about n^1.5 for n triangles of a cloth.
Intersections count_intersections(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                  const IntersectionOptions& options = {});

}  // namespace heddle
