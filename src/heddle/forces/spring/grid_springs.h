#pragma once

#include <array>
#include <vector>

namespace heddle {

/// Vertices of a regular grid, numbered row by row.
struct GridSize {
  int columns = 0, rows = 0;
};

using ParticlePair = std::array<int, 2>;

// Which vertices springs connect (Boxerman 2003, Fig. 3.4; Eurographics 2002, Fig. 1). Pairs are ascending
// and ordered by their first vertex.

/// To the nearest vertices along rows and columns.
std::vector<ParticlePair> stretch_pairs(const GridSize& grid);
/// To the nearest vertices along both diagonals.
std::vector<ParticlePair> shear_pairs(const GridSize& grid);
/// To the next but one along rows and columns.
std::vector<ParticlePair> flexion_pairs(const GridSize& grid);
/// The same, and along both diagonals.
std::vector<ParticlePair> bend_pairs(const GridSize& grid);

}  // namespace heddle
