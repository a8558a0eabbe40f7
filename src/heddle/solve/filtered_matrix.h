#pragma once

#include <heddle/math/block_matrix.h>
#include <heddle/math/block_projection.h>

#include <span>
#include <vector>

namespace heddle {

/// S A S for fast products: off-diagonal blocks in single precision, applied to differences,
///   (A x)_i = R_i x_i + sum_j A_ij (x_j - x_i),   R_i = sum_j A_ij in double precision.
/// For M + h^2 K the row sums R hold the mass, which is 1e-4 to 1e-6 of the blocks of stiff cloth and would
/// drown in the rounding of the blocks; this way translations pass exactly and only strains are rounded, to
/// 6e-8.
class FilteredMatrix {
 public:
  static constexpr int kBlock = 9;

  /// Cheap if the pattern is that of the last call.
  void assign(const BlockMatrix& matrix, const BlockProjection& projection);

  const BlockPattern& pattern() const { return pattern_; }  // without the diagonal
  int row_count() const { return pattern_.row_count(); }
  /// (A x)_row. One spare value behind the last x is read, and ignored: vectors are read four values at a
  /// time.
  Vec3 row_times(int row, const Vec3* x) const;
  /// Off-diagonal block of the pattern, column by column.
  const float* block(int slot) const { return values_.data() + kBlock * slot; }
  const Mat3& row_sum(int row) const { return row_sum_[static_cast<size_t>(row)]; }
  const Mat3& diagonal(int row) const { return diagonal_[static_cast<size_t>(row)]; }
  /// Inverse of the diagonal block within the free directions, zero in the others.
  const Mat3& diagonal_inverse(int row) const { return inverse_[static_cast<size_t>(row)]; }

  /// values = S values
  void filter(std::span<Vec3> values) const { projection_.apply(values); }

 private:
  friend class GalerkinProduct;
  void set_pattern(const BlockPattern& pattern);
  void resize(const BlockPattern& without_diagonal);
  void filter_row(int row, const BlockMatrix& matrix);

  BlockPattern full_, pattern_;  // of the last matrix; without its diagonal
  std::vector<float> values_;    // blocks column by column, and one spare value
  std::vector<Mat3> row_sum_, diagonal_, inverse_;
  BlockProjection projection_;
  std::vector<int> filter_;  // per row: place in the projection, or -1
};

}  // namespace heddle
