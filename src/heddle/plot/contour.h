#pragma once

#include <heddle/math/types.h>

#include <span>
#include <vector>

namespace heddle {

/// Samples of a function on a grid, row by row; sample (i, j) lies at the point (i, j). Values that are not
/// finite count as very large.
struct SampledGrid {
  int columns = 0, rows = 0;
  std::span<const double> values;
};

/// The lines where the function is `level`, by linear interpolation along the edges of the grid. They end at
/// its border or are closed.
std::vector<std::vector<Vec2>> contour_lines(const SampledGrid& grid, double level);

/// Closed loops around where the function is at most `level`, along the border of the grid where needed.
std::vector<std::vector<Vec2>> contour_loops(const SampledGrid& grid, double level);

}  // namespace heddle
