#pragma once

#include <heddle/math/block_matrix.h>

#include <span>
#include <vector>

namespace heddle {

/// A symmetric block matrix whose blocks beside the diagonal are kept in single precision. The diagonal, in
/// double precision, makes up for their rounding: sums of rows stay what they were. For M + h^2 K these sums
/// are the mass, which is 1e-4 to 1e-6 of the blocks of stiff cloth and would drown in the rounding; so
/// translations pass exactly and only strains are rounded, to 6e-8. Products are taken in double precision.
class RoundedMatrix {
 public:
  static constexpr int kBlock = 9;

  /// Cheap if the pattern is that of the last call.
  void assign(const BlockMatrix& matrix);
  void set_pattern(const Shared<MatrixPattern>& pattern);

  const MatrixPattern& pattern() const { return *pattern_; }
  int row_count() const { return pattern_->row_count(); }
  /// y = A x; the same bits for any number of threads. Entries behind the last row are left alone.
  void multiply(std::span<const Vec3> x, std::span<Vec3> y) const;
  /// y_i = sum of column k of the blocks of row i.
  void sum_columns(int k, std::span<Vec3> y) const;
  void set_zero();
  Eigen::Map<Mat3> diagonal(int row) { return Eigen::Map<Mat3>(diagonal_.data() + kBlock * row); }
  Eigen::Map<const Mat3> diagonal(int row) const {
    return Eigen::Map<const Mat3>(diagonal_.data() + kBlock * row);
  }
  /// General block of a row beside its diagonal, column by column.
  float* general_values(int row, int slot) { return values_.data() + kBlock * (slot - row - 1); }
  const float* general_values(int row, int slot) const { return values_.data() + kBlock * (slot - row - 1); }
  const double* diagonal_values(int row) const { return diagonal_.data() + kBlock * row; }
  double isotropic_block(int slot) const { return isotropic_values_[static_cast<size_t>(slot)]; }
  const UpperRows& upper_rows() const { return *rows_; }
  /// Memory that it holds, without the pattern.
  size_t bytes() const { return rows_->bytes() + bytes_of(diagonal_, values_, isotropic_values_); }

 private:
  Shared<MatrixPattern> pattern_;
  Shared<UpperRows> rows_;
  std::vector<double> diagonal_;  // with one spare value at the end
  std::vector<float> values_;     // with one spare value at the end
  std::vector<double> isotropic_values_;
};

}  // namespace heddle
