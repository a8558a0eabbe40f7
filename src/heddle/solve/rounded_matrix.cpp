#include <heddle/solve/rounded_matrix.h>

#include <heddle/math/symmetric_product.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Not inlined: GCC 12 takes a number that was rounded and read back at once for the number itself.
[[gnu::noinline]] void round_block(const double* from, float* to) {
  for (int i = 0; i < RoundedMatrix::kBlock; ++i) to[i] = static_cast<float>(from[i]);
}

}  // namespace

void RoundedMatrix::set_pattern(const Shared<MatrixPattern>& pattern) {
  pattern_ = pattern;
  rows_ = Shared(UpperRows(*pattern));
  const int n = pattern->row_count();
  diagonal_.assign(at(kBlock * n + 1), 0.0);
  values_.assign(at(kBlock * (pattern->general.block_count() - n) + 1), 0.0F);
  isotropic_values_.assign(at(pattern->isotropic.block_count()), 0.0);
}

void RoundedMatrix::set_zero() {
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::fill(values_.begin(), values_.end(), 0.0F);
}

void RoundedMatrix::assign(const BlockMatrix& matrix) {
  if (matrix.shared_pattern() != pattern_) set_pattern(matrix.shared_pattern());
  const BlockPattern& general = pattern_->general;
  for (int row = 0; row < row_count(); ++row) diagonal(row) = matrix.diagonal(row);
  for (int row = 0; row < row_count(); ++row)
    for (int k = general.row_start[at(row)] + 1; k < general.row_start[at(row) + 1]; ++k) {
      const Mat3 block = matrix.block(k);
      round_block(block.data(), general_values(row, k));
      const Mat3 lost = block - Eigen::Map<const Eigen::Matrix3f>(general_values(row, k)).cast<double>();
      diagonal(row) += lost;
      diagonal(general.columns[at(k)]) += lost.transpose();
    }
  for (int k = 0; k < pattern_->isotropic.block_count(); ++k)
    isotropic_values_[at(k)] = matrix.isotropic_block(k);
}

void RoundedMatrix::multiply(std::span<const Vec3> x, std::span<Vec3> y) const {
  multiply_symmetric(*pattern_, *this, values_of(x), y);
}

void RoundedMatrix::sum_columns(int k, std::span<Vec3> y) const {
  const Vec3 unit = Vec3::Unit(k);
  multiply_symmetric(
      *pattern_, *this, [&](int) { return unit.data(); }, y);
}

}  // namespace heddle
