#pragma once

#include <heddle/math/block_matrix.h>
#include <heddle/math/block_projection.h>
#include <heddle/math/lanes.h>
#include <heddle/solve/pair_coupling.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// Inverse of a symmetric block; not a number if the block is not positive definite, so that no solve takes
/// the matrix for a good one.
Mat3 positive_inverse(const Mat3& block);
/// The same on the range of its projector, zero elsewhere.
Mat3 inverse_within(const Mat3& block, const Mat3& free);
/// Inverse of block + extra on the directions that exceed the rounding of blocks in single precision; the
/// others are constrained in all members of the groups of a coarse level.
Mat3 safe_inverse(const Mat3& block, const Mat3& extra);

/// A symmetric block as six numbers.
class SymmetricBlock {
 public:
  SymmetricBlock() = default;
  explicit SymmetricBlock(const Mat3& m) : values_{m(0, 0), m(1, 0), m(2, 0), m(1, 1), m(2, 1), m(2, 2)} {}
  Mat3 whole() const {
    const auto& v = values_;
    Mat3 out;
    out << v[0], v[1], v[2], v[1], v[3], v[4], v[2], v[4], v[5];
    return out;
  }
  Lanes times(Lanes x) const {
    const auto& v = values_;
    return (Lanes{v[0], v[1], v[2], 0} * x[0] + Lanes{v[1], v[3], v[4], 0} * x[1]) +
           Lanes{v[2], v[4], v[5], 0} * x[2];
  }

 private:
  std::array<double, 6> values_{};
};

/// S A S: a matrix with the directions that constraints leave free, and the inverse of its diagonal. Refers
/// to the matrix, which must stay as it is until the next assign() or set_matrix().
class FilteredMatrix {
 public:
  void assign(const BlockMatrix& matrix, const BlockProjection& projection);
  /// The same matrix in another place.
  void set_matrix(const BlockMatrix& matrix) { matrix_ = &matrix; }
  /// Another projection for the same matrix; costs only as much as there are constrained rows.
  void constrain(const BlockProjection& projection);
  /// Couplings that will be added to the matrix by others: here only the inverse of the diagonal knows them.
  void couple(const PairCouplings& couplings);

  const BlockMatrix& matrix() const { return *matrix_; }
  const MatrixPattern& pattern() const { return matrix_->pattern(); }
  int row_count() const { return static_cast<int>(inverse_.size()); }
  /// y = S A x for an x that is filtered: S x = x.
  void multiply(std::span<const Vec3> x, std::span<Vec3> y) const {
    matrix_->multiply(x, y);
    filter(y);
  }
  /// y_i = S_i sum_j A_ij S_j e_k
  void sum_columns(int k, std::span<Vec3> y) const;
  Eigen::Map<const Mat3> diagonal(int row) const { return matrix_->diagonal(row); }  // of A
  /// Inverse of the diagonal block within the free directions, zero in the others.
  Mat3 diagonal_inverse(int row) const { return inverse_[static_cast<size_t>(row)].whole(); }
  Lanes inverse_times(int row, Lanes x) const { return inverse_[static_cast<size_t>(row)].times(x); }

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
  /// Memory that it holds.
  size_t bytes() const;

 private:
  void set_projection(const BlockProjection& projection);
  void invert_diagonal(int row, const Mat3& extra = Mat3::Zero());

  const BlockMatrix* matrix_ = nullptr;
  std::vector<SymmetricBlock> inverse_;
  BlockProjection projection_;
  std::vector<int> filter_;   // per row: place in the projection, or -1
  std::vector<int> coupled_;  // rows whose inverse knows couplings
};

}  // namespace heddle
