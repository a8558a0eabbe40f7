#include <heddle/forces/spring/grid_springs.h>

#include <span>

namespace heddle {

namespace {

struct Offset {
  int column, row;
};

std::vector<ParticlePair> pairs_at(const GridSize& grid, std::span<const Offset> offsets) {
  std::vector<ParticlePair> pairs;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column)
      for (const Offset& offset : offsets) {
        const int other_column = column + offset.column, other_row = row + offset.row;
        if (other_column < 0 || other_column >= grid.columns || other_row >= grid.rows) continue;
        pairs.push_back({row * grid.columns + column, other_row * grid.columns + other_column});
      }
  return pairs;
}

}  // namespace

std::vector<ParticlePair> stretch_pairs(const GridSize& grid) {
  return pairs_at(grid, std::array{Offset{1, 0}, Offset{0, 1}});
}

std::vector<ParticlePair> shear_pairs(const GridSize& grid) {
  return pairs_at(grid, std::array{Offset{-1, 1}, Offset{1, 1}});
}

std::vector<ParticlePair> flexion_pairs(const GridSize& grid) {
  return pairs_at(grid, std::array{Offset{2, 0}, Offset{0, 2}});
}

std::vector<ParticlePair> bend_pairs(const GridSize& grid) {
  return pairs_at(grid, std::array{Offset{2, 0}, Offset{-2, 2}, Offset{0, 2}, Offset{2, 2}});
}

}  // namespace heddle
