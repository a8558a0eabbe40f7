#include <heddle/plot/contour.h>

#include <heddle/core/check.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heddle {

namespace {

constexpr double kOutside = 1e300;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// An edge between neighbours of the grid.
struct GridEdge {
  int column, row;
  bool is_upright;
  auto operator<=>(const GridEdge&) const = default;
};

class Tracer {
 public:
  Tracer(const SampledGrid& grid, double level) : grid_(grid), level_(level) {
    for (int row = 0; row + 1 < grid.rows; ++row)
      for (int column = 0; column + 1 < grid.columns; ++column) add_cell(column, row);
  }

  std::vector<std::vector<Vec2>> lines() {
    std::vector<std::vector<Vec2>> result;
    // Lines that end at the border begin there; what is left is closed.
    for (const bool only_ends : {true, false})
      for (const auto& [edge, next] : neighbours_) {
        if (is_done_[edge] || (only_ends && next.size() != 1)) continue;
        result.push_back(follow(edge));
      }
    return result;
  }

 private:
  double value(int column, int row) const {
    const double v = grid_.values[at(row * grid_.columns + column)];
    return std::isfinite(v) ? v : kOutside;
  }
  bool is_inside(int column, int row) const { return value(column, row) <= level_; }

  void connect(const GridEdge& a, const GridEdge& b) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }

  /// Marching squares; a saddle is cut by the mean of its corners.
  void add_cell(int column, int row) {
    const std::array edges{GridEdge{column, row, false}, GridEdge{column + 1, row, true},
                           GridEdge{column, row + 1, false}, GridEdge{column, row, true}};
    const std::array inside{is_inside(column, row), is_inside(column + 1, row),
                            is_inside(column + 1, row + 1), is_inside(column, row + 1)};
    std::vector<size_t> crossed;
    for (size_t k = 0; k < 4; ++k)
      if (inside[k] != inside[(k + 1) % 4]) crossed.push_back(k);
    if (crossed.size() == 2) connect(edges[crossed[0]], edges[crossed[1]]);
    if (crossed.size() < 4) return;
    const double mean = 0.25 * (value(column, row) + value(column + 1, row) + value(column + 1, row + 1) +
                                value(column, row + 1));
    const bool keeps_first = (mean <= level_) != inside[0];
    connect(edges[0], edges[keeps_first ? 3 : 1]);
    connect(edges[2], edges[keeps_first ? 1 : 3]);
  }

  Vec2 point(const GridEdge& edge) const {
    const int column = edge.column + (edge.is_upright ? 0 : 1), row = edge.row + (edge.is_upright ? 1 : 0);
    const double a = value(edge.column, edge.row), b = value(column, row);
    // Beside samples without a value the line stays near the good one.
    double share = (level_ - a) / (b - a);
    if (a >= kOutside) share = 1;
    if (b >= kOutside) share = 0;
    return Vec2(edge.column, edge.row) + share * (Vec2(column, row) - Vec2(edge.column, edge.row));
  }

  std::vector<Vec2> follow(GridEdge edge) {
    const GridEdge start = edge;
    std::vector<Vec2> line;
    while (true) {
      is_done_[edge] = true;
      line.push_back(point(edge));
      const auto& next = neighbours_[edge];
      const auto free =
          std::find_if(next.begin(), next.end(), [&](const GridEdge& e) { return !is_done_[e]; });
      if (free == next.end()) break;
      edge = *free;
    }
    const auto& last = neighbours_[edge];
    const bool is_closed = line.size() > 2 && std::find(last.begin(), last.end(), start) != last.end();
    if (is_closed) line.push_back(line.front());
    return line;
  }

  SampledGrid grid_;
  double level_;
  std::map<GridEdge, std::vector<GridEdge>> neighbours_;
  std::map<GridEdge, bool> is_done_;
};

}  // namespace

std::vector<std::vector<Vec2>> contour_lines(const SampledGrid& grid, double level) {
  HEDDLE_CHECK_EQ(grid.values.size(), at(grid.columns) * at(grid.rows));
  return Tracer(grid, level).lines();
}

std::vector<std::vector<Vec2>> contour_loops(const SampledGrid& grid, double level) {
  HEDDLE_CHECK_EQ(grid.values.size(), at(grid.columns) * at(grid.rows));
  const int columns = grid.columns + 2, rows = grid.rows + 2;
  std::vector<double> padded(at(columns) * at(rows), kOutside);
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column)
      padded[at((row + 1) * columns + column + 1)] = grid.values[at(row * grid.columns + column)];
  auto loops = Tracer({columns, rows, padded}, level).lines();
  for (auto& loop : loops)
    for (Vec2& p : loop) p -= Vec2(1, 1);
  return loops;
}

}  // namespace heddle
