#pragma once

#include <heddle/math/block_matrix.h>
#include <heddle/math/block_projection.h>
#include <heddle/math/lanes.h>
#include <heddle/solve/pair_coupling.h>

#include <span>
#include <vector>

namespace heddle {

/// Inverse of a symmetric block; not a number if the block is not positive definite, so that no solve takes
/// the matrix for a good one.
Mat3 positive_inverse(const Mat3& block);
/// The same on the range of its projector, zero elsewhere.
Mat3 inverse_within(const Mat3& block, const Mat3& free);

/// S A S for fast products: off-diagonal blocks in single precision, applied to differences,
///   (A x)_i = R_i x_i + sum_j A_ij (x_j - x_i),   R_i = sum_j A_ij in double precision, with A_ii.
/// For M + h^2 K the row sums R hold the mass, which is 1e-4 to 1e-6 of the blocks of stiff cloth and would
/// drown in the rounding of the blocks; this way translations pass exactly and only strains are rounded, to
/// 6e-8. Isotropic blocks, those of quadratic bending, are single numbers in double precision and not
/// part of this: they are added as they are.
class FilteredMatrix {
 public:
  static constexpr int kBlock = 9;

  /// Cheap if the pattern is that of the last call.
  void assign(const BlockMatrix& matrix, const BlockProjection& projection);
  /// Another projection for the same matrix; costs only as much as there are constrained rows.
  void constrain(const BlockProjection& projection);
  /// Couplings that will be added to the matrix by others: here only the inverse of the diagonal knows them.
  void couple(const PairCouplings& couplings);

  /// Places of the off-diagonal blocks that may hold anything, and of those that are isotropic.
  const BlockPattern& pattern() const { return *pattern_; }
  const BlockPattern& isotropic_pattern() const { return full_->isotropic; }
  /// Both, to be kept by others: patterns are the same if these are.
  struct Patterns {
    Shared<BlockPattern> general;
    Shared<MatrixPattern> full;
    bool operator==(const Patterns&) const = default;
  };
  Patterns patterns() const { return {pattern_, full_}; }
  int row_count() const { return pattern_->row_count(); }
  /// (S A x)_row for an x that is filtered: S x = x. One spare value behind the last x is read, and ignored:
  /// vectors are read four values at a time.
  Lanes row_times(int row, const Vec3* x) const;
  /// Off-diagonal block of A, column by column.
  const float* block(int slot) const { return values_.data() + kBlock * slot; }
  double isotropic_block(int slot) const { return isotropic_values_[static_cast<size_t>(slot)]; }
  const Mat3& row_sum(int row) const { return row_sum_[static_cast<size_t>(row)]; }    // R
  const Mat3& diagonal(int row) const { return diagonal_[static_cast<size_t>(row)]; }  // of A
  /// Inverse of the diagonal block within the free directions, zero in the others.
  const Mat3& diagonal_inverse(int row) const { return inverse_[static_cast<size_t>(row)]; }

  /// values = S values
  void filter(std::span<Vec3> values) const { projection_.apply(values); }
  const BlockProjection& projection() const { return projection_; }
  bool is_filtered(int row) const { return filter_[static_cast<size_t>(row)] >= 0; }
  /// S_row; only if is_filtered(row).
  const Mat3& free(int row) const {
    return projection_.free(static_cast<size_t>(filter_[static_cast<size_t>(row)]));
  }
  /// S_row block S_column
  Mat3 filtered(int row, int column, const Mat3& block) const;
  /// Memory that it holds, without the pattern that it shares with the matrix.
  size_t bytes() const;

 private:
  friend class GalerkinProduct;
  void set_pattern(const Shared<MatrixPattern>& pattern);
  void resize();
  void set_projection(const BlockProjection& projection);
  void assign_row(int row, const BlockMatrix& matrix);
  void invert_diagonal(int row, const Mat3& extra = Mat3::Zero());

  Shared<MatrixPattern> full_;    // of the last matrix
  Shared<BlockPattern> pattern_;  // general blocks without the diagonal
  std::vector<float> values_;     // blocks column by column, and one spare value
  std::vector<double> isotropic_values_;
  std::vector<Mat3> row_sum_, diagonal_, inverse_;
  BlockProjection projection_;
  std::vector<int> filter_;   // per row: place in the projection, or -1
  std::vector<int> coupled_;  // rows whose inverse knows couplings
  bool is_coarse_ = false;    // its rows stand for groups; some of their directions may have no stiffness
};

inline Lanes FilteredMatrix::row_times(int row, const Vec3* x) const {
  const auto i = static_cast<size_t>(row);
  const Lanes own = load_beyond(x[i]);
  FloatLanes sum0{}, sum1{}, sum2{};
  const BlockPattern &general = pattern(), &isotropic = isotropic_pattern();
  const int* column = general.columns.data() + general.row_start[i];
  const int* const end = general.columns.data() + general.row_start[i + 1];
  for (const float* value = block(general.row_start[i]); column != end; ++column, value += kBlock) {
    const FloatLanes d = __builtin_convertvector(load_beyond(x[*column]) - own, FloatLanes);
    sum0 += load_floats(value) * d[0];
    sum1 += load_floats(value + 3) * d[1];
    sum2 += load_floats(value + 6) * d[2];
  }
  Lanes sum = times(row_sum_[i], own);
  for (int k = isotropic.row_start[i]; k < isotropic.row_start[i + 1]; ++k)
    sum += isotropic_block(k) * load_beyond(x[isotropic.columns[static_cast<size_t>(k)]]);
  sum += __builtin_convertvector((sum0 + sum1) + sum2, Lanes);
  return is_filtered(row) ? times(free(row), sum) : sum;
}

}  // namespace heddle
