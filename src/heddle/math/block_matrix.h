#pragma once

#include <heddle/math/types.h>

#include <compare>
#include <span>
#include <vector>

namespace heddle {

/// Which 3x3 blocks of a block-sparse matrix may be non-zero; always symmetric, always with the diagonal.
struct BlockPattern {
  std::vector<int> row_start{0};  // into columns
  std::vector<int> columns;       // ascending in each row
  std::vector<char> isotropic;    // per block: a multiple of the identity in the positive form

  bool operator==(const BlockPattern&) const = default;
  int row_count() const { return static_cast<int>(row_start.size()) - 1; }
  int block_count() const { return static_cast<int>(columns.size()); }
  /// Place of block (row, column); the block must be part of the pattern.
  int slot(int row, int column) const;
};

/// Collects couplings between particles and turns them into a pattern.
class BlockPatternBuilder {
 public:
  explicit BlockPatternBuilder(int rows) : rows_(rows) {}
  /// Couples all pairs of these particles; `isotropic` promises multiples of the identity. A block is
  /// isotropic if all that couple it say so.
  void couple(std::span<const int> particles, bool isotropic = false);
  BlockPattern build() const;

 private:
  struct Pair {
    int row = 0, column = 0;
    bool isotropic = false;
    auto operator<=>(const Pair&) const = default;
    bool same_block(const Pair& other) const { return row == other.row && column == other.column; }
  };
  int rows_;
  std::vector<Pair> pairs_;
};

/// A square block-sparse matrix with 3x3 blocks, stored row by row, each block column by column.
/// Hand-written because Eigen has no block-sparse matrix and the product is the hottest loop of the system.
class BlockMatrix {
 public:
  static constexpr int kBlock = 9;

  BlockMatrix() = default;
  explicit BlockMatrix(BlockPattern pattern);

  const BlockPattern& pattern() const { return pattern_; }
  int row_count() const { return pattern_.row_count(); }
  void set_zero();
  /// Takes over the values of a matrix with the same pattern.
  void copy_values(const BlockMatrix& other);
  Eigen::Map<Mat3> block(int slot) { return Eigen::Map<Mat3>(values_.data() + kBlock * slot); }
  Eigen::Map<const Mat3> block(int slot) const {
    return Eigen::Map<const Mat3>(values_.data() + kBlock * slot);
  }
  int diagonal_slot(int row) const { return diagonal_[static_cast<size_t>(row)]; }
  Eigen::Map<Mat3> diagonal(int row) { return block(diagonal_slot(row)); }
  Eigen::Map<const Mat3> diagonal(int row) const { return block(diagonal_slot(row)); }
  double* data() { return values_.data(); }

  /// y = A x, in parallel over rows; the same bits for any number of threads.
  void multiply(std::span<const Vec3> x, std::span<Vec3> y) const;
  /// y_row for one row; the building block of fused loops.
  Vec3 row_times(int row, const Vec3* x) const;

 private:
  BlockPattern pattern_;
  std::vector<int> diagonal_;
  std::vector<double> values_;  // one spare value at the end: rows are read four values at a time
};

}  // namespace heddle
