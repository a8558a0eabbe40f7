#pragma once

#include <heddle/math/block_matrix.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle {

// Diagrams of numbers, written as SVG or PNG. The same plot gives the same bytes.

struct PlotAxis {
  std::string title;
  std::string unit;  // shown behind the title; empty for pure numbers
  bool logarithmic = false;
  std::optional<double> low, high;  // limits; without them from the data
};

enum class PlotMarker { none, automatic, circle, square, triangle, diamond, cross, plus };

/// One line of a diagram. Values that are not finite, or not positive on a logarithmic axis, leave a gap.
struct PlotSeries {
  std::string name;  // in the legend; empty: not listed
  std::vector<double> x, y;
  PlotMarker marker = PlotMarker::none;
  bool has_line = true;
  bool is_dashed = false;
  std::optional<int> colour;  // of the palette; without it the next one
};

/// A straight line at one value of an axis.
struct PlotBound {
  double value = 0;
  std::string label;
  bool is_vertical = false;  // at a value of x
};

struct LinePlot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
  std::vector<PlotBound> bounds;
  int width = 720, height = 450;  // units; a unit is a pixel of the SVG
};

/// Where a function of two variables is at most `level`.
struct PlotRegion {
  std::string name;
  std::vector<double> values;  // columns x rows, row by row upwards
  double level = 1;
};

/// Regions of the plane, such as those of stability; over a map of the first region's values if `contours`
/// are given. Sample (i, j) lies at equal distances on the axes, the first and last ones at the limits, which
/// both axes need.
struct RegionPlot {
  std::string title;
  PlotAxis x, y;
  int columns = 0, rows = 0;
  std::vector<PlotRegion> regions;
  std::vector<double> contours;    // ascending; levels between which the map has one colour
  std::string map_title;           // what the colours stand for
  std::vector<PlotSeries> curves;  // drawn over it
  bool equal_scales = false;       // a unit is as long on both axes
  int width = 720, height = 520;
};

/// The places of the blocks of a matrix: one dot for each 3x3 block.
struct SparsityPlot {
  std::string title;
  BlockPattern pattern;
  std::vector<int> order;   // row order[k] is drawn as row k; empty: the natural order
  std::vector<int> groups;  // first rows of groups that belong together, as drawn; lines are drawn between
  int size = 480;
};

enum class PlotFormat { svg, png };

/// The bytes of the file. A PNG has two pixels for each unit in both directions.
std::string render(const LinePlot& plot, PlotFormat format);
std::string render(const RegionPlot& plot, PlotFormat format);
std::string render(const SparsityPlot& plot, PlotFormat format);

}  // namespace heddle
