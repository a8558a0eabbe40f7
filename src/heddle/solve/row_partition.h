#pragma once

#include <heddle/math/block_matrix.h>

#include <span>
#include <vector>

namespace heddle {

/// Rows of a matrix in parts of about the same size that few blocks connect.
struct RowPartition {
  std::vector<int> start{0}, rows;  // ascending in each part
  std::vector<int> owner;           // per row: its part

  int count() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> of(int part) const {
    const auto i = static_cast<size_t>(part);
    return {rows.data() + start[i], rows.data() + start[i + 1]};
  }
  size_t bytes() const { return bytes_of(start, rows, owner); }
};

/// Halves the graph of the pattern again and again until no part has more than `most` rows. Each half is what
/// lies nearest to a row at the rim, in numbers of blocks.
RowPartition partition_rows(const MatrixPattern& pattern, int most);

/// Blocks beside the diagonal that connect different parts, as a share of all.
double cut_share(const MatrixPattern& pattern, const RowPartition& partition);

}  // namespace heddle
