#pragma once

#include <heddle/core/memory.h>
#include <heddle/core/shared.h>
#include <heddle/math/types.h>

#include <compare>
#include <limits>
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

/// The blocks of both triangles without the diagonal, from those of the upper one.
BlockPattern mirrored(const BlockPattern& upper);

/// Which blocks of a block-sparse matrix may be non-zero; symmetric. Most blocks of bending are multiples of
/// the identity, stored as one number instead of nine. Matrices are symmetric too, and the blocks of the
/// upper triangle stand for those of the lower one.
struct MatrixPattern {
  BlockPattern general;    // with the diagonal, which is the first of each row
  BlockPattern isotropic;  // multiples of the identity
  bool is_whole = false;   // both triangles are here, for matrices that are not symmetric

  /// What place() says of blocks that their transpose stands for.
  static constexpr int kMirrored = std::numeric_limits<int>::min();

  bool operator==(const MatrixPattern&) const = default;
  int row_count() const { return general.row_count(); }
  /// Of both triangles, however they are stored.
  int block_count() const;
  size_t bytes() const { return general.bytes() + isotropic.bytes(); }
  /// Place of block (row, column), which must be part of the pattern: k >= 0 is block k of `general`, other
  /// k are block ~k of `isotropic`, or kMirrored.
  int place(int row, int column) const;
  int diagonal(int row) const {
    return is_whole ? general.slot(row, row) : general.row_start[static_cast<size_t>(row)];
  }
  /// The shortest ranges of rows that no block connects.
  std::vector<RowRange> parts() const;
};

/// Collects couplings between particles and turns them into a pattern.
class BlockPatternBuilder {
 public:
  /// Unless `compact`, promises about blocks are ignored and both triangles are stored: exact Jacobians keep
  /// no promises, and some are not symmetric.
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

/// How the rows of an upper triangle are shared between threads: in parts of a fixed size, so that results do
/// not depend on the threads. A part adds what its blocks and their transposes give to its own rows; blocks
/// that reach into a later part are listed there, and read a second time.
class UpperRows {
 public:
  UpperRows() = default;
  explicit UpperRows(const MatrixPattern& pattern);
  int part_size() const { return part_size_; }
  /// Block `place` of row `row`, see MatrixPattern::place().
  struct Reaching {
    int row = 0, place = 0;
  };
  /// Into a part, by columns.
  std::span<const Reaching> reaching(int part) const {
    const auto i = static_cast<size_t>(part);
    return {reaching_.data() + start_[i], reaching_.data() + start_[i + 1]};
  }
  size_t bytes() const { return bytes_of(reaching_, start_); }

 private:
  int part_size_ = 1;
  std::vector<Reaching> reaching_;
  std::vector<int> start_{0};  // per part: into reaching_
};

/// A symmetric block-sparse matrix with 3x3 blocks of which the upper triangle is stored, row by row, each
/// general block column by column; with a whole pattern, any square one. Hand-written because Eigen has no
/// block-sparse matrix and the product is the hottest loop of the system.
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
  size_t bytes() const { return pattern_->bytes() + rows_->bytes() + bytes_of(values_, isotropic_values_); }
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
  int diagonal_slot(int row) const { return pattern_->diagonal(row); }
  Eigen::Map<Mat3> diagonal(int row) { return block(diagonal_slot(row)); }
  Eigen::Map<const Mat3> diagonal(int row) const { return block(diagonal_slot(row)); }

  /// y = A x, in parallel over rows; the same bits for any number of threads. Entries behind the last row are
  /// left alone.
  void multiply(std::span<const Vec3> x, std::span<Vec3> y) const;

  /// For symmetric_product.h.
  const UpperRows& upper_rows() const { return *rows_; }
  const double* diagonal_values(int row) const { return values_.data() + kBlock * diagonal_slot(row); }
  const double* general_values(int, int slot) const { return values_.data() + kBlock * slot; }

 private:
  Shared<MatrixPattern> pattern_;
  Shared<UpperRows> rows_;
  std::vector<double> values_;  // one spare value at the end: rows are read four values at a time
  std::vector<double> isotropic_values_;
};

}  // namespace heddle
