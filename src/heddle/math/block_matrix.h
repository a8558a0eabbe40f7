#pragma once

#include <heddle/core/memory.h>
#include <heddle/core/shared.h>
#include <heddle/math/types.h>

#include <compare>
#include <span>
#include <vector>

namespace heddle {

/// Places of 3x3 blocks, row by row.
struct BlockPattern {
  std::vector<int> row_start{0};  // into columns
  std::vector<int> columns;       // ascending in each row

  bool operator==(const BlockPattern&) const = default;
  int row_count() const { return static_cast<int>(row_start.size()) - 1; }
  int block_count() const { return static_cast<int>(columns.size()); }
  size_t bytes() const { return bytes_of(row_start, columns); }
  /// Place of block (row, column), or -1.
  int find(int row, int column) const;
  /// The same; the block must be part of the pattern.
  int slot(int row, int column) const;
};

struct RowRange {
  int begin = 0, end = 0;
  bool operator==(const RowRange&) const = default;
};

/// Which blocks of a block-sparse matrix may be non-zero; symmetric. Most blocks of bending are multiples of
/// the identity, stored as one number instead of nine.
struct MatrixPattern {
  BlockPattern general;    // with the diagonal
  BlockPattern isotropic;  // multiples of the identity

  bool operator==(const MatrixPattern&) const = default;
  int row_count() const { return general.row_count(); }
  int block_count() const { return general.block_count() + isotropic.block_count(); }
  size_t bytes() const { return general.bytes() + isotropic.bytes(); }
  /// Place of block (row, column), which must be part of the pattern: k >= 0 is block k of `general`, other
  /// k are block ~k of `isotropic`.
  int place(int row, int column) const;
  /// The shortest ranges of rows that no block connects.
  std::vector<RowRange> parts() const;
};

/// Collects couplings between particles and turns them into a pattern.
class BlockPatternBuilder {
 public:
  /// Unless `compact`, promises about blocks are ignored: exact Jacobians do not keep them.
  explicit BlockPatternBuilder(int rows, bool compact = true) : rows_(rows), compact_(compact) {}
  /// Couples all pairs of these particles; `isotropic` promises multiples of the identity. A block is
  /// isotropic if all that couple it say so.
  void couple(std::span<const int> particles, bool isotropic = false);
  MatrixPattern build() const;

 private:
  struct Pair {
    int row = 0, column = 0;
    bool isotropic = false;
    auto operator<=>(const Pair&) const = default;
    bool same_block(const Pair& other) const { return row == other.row && column == other.column; }
  };
  int rows_;
  bool compact_;
  std::vector<Pair> pairs_;
};

/// A square block-sparse matrix with 3x3 blocks, stored row by row, each general block column by column.
/// Hand-written because Eigen has no block-sparse matrix and the product is the hottest loop of the system.
class BlockMatrix {
 public:
  static constexpr int kBlock = 9;

  BlockMatrix() = default;
  explicit BlockMatrix(MatrixPattern pattern);

  const MatrixPattern& pattern() const { return *pattern_; }
  /// The same for those who keep it.
  const Shared<MatrixPattern>& shared_pattern() const { return pattern_; }
  int row_count() const { return pattern_->row_count(); }
  /// Memory that it holds, with the pattern, which copies share.
  size_t bytes() const { return pattern_->bytes() + bytes_of(diagonal_, values_, isotropic_values_); }
  void set_zero();
  /// Takes over the values of a matrix with the same pattern.
  void copy_values(const BlockMatrix& other);
  /// General block.
  Eigen::Map<Mat3> block(int slot) { return Eigen::Map<Mat3>(values_.data() + kBlock * slot); }
  Eigen::Map<const Mat3> block(int slot) const {
    return Eigen::Map<const Mat3>(values_.data() + kBlock * slot);
  }
  double& isotropic_block(int slot) { return isotropic_values_[static_cast<size_t>(slot)]; }
  double isotropic_block(int slot) const { return isotropic_values_[static_cast<size_t>(slot)]; }
  int diagonal_slot(int row) const { return diagonal_[static_cast<size_t>(row)]; }
  Eigen::Map<Mat3> diagonal(int row) { return block(diagonal_slot(row)); }
  Eigen::Map<const Mat3> diagonal(int row) const { return block(diagonal_slot(row)); }

  /// y = A x, in parallel over rows; the same bits for any number of threads.
  void multiply(std::span<const Vec3> x, std::span<Vec3> y) const;
  /// y_row for one row; the building block of fused loops.
  Vec3 row_times(int row, const Vec3* x) const;

 private:
  Shared<MatrixPattern> pattern_;
  std::vector<int> diagonal_;
  std::vector<double> values_;  // one spare value at the end: rows are read four values at a time
  std::vector<double> isotropic_values_;
};

}  // namespace heddle
