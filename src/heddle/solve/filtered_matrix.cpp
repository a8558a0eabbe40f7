#include <heddle/solve/filtered_matrix.h>

#include <heddle/core/memory.h>
#include <heddle/math/symmetric_eigen.h>
#include <heddle/math/symmetric_product.h>
#include <heddle/parallel/parallel.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Not inlined, so that the inverse beside it is compiled, and rounded, as anywhere else.
[[gnu::noinline]] bool is_positive(const Mat3& block) {
  constexpr double kRounding = 1e-12;  // of minors, where directions differ much in stiffness
  const double size = block.trace(), minor = block(0, 0) * block(1, 1) - block(0, 1) * block(1, 0);
  return size > 0 && block(0, 0) > -kRounding * size && minor > -kRounding * size * size &&
         block.determinant() > -kRounding * size * size * size;
}

}  // namespace

Mat3 positive_inverse(const Mat3& block) {
  return is_positive(block) ? Mat3(block.inverse()) : Mat3(Mat3::Constant(NAN));
}

Mat3 inverse_within(const Mat3& block, const Mat3& free) {
  // The constrained directions get a number of the block's own size, so that the inverse stays well
  // conditioned.
  const double scale = block.trace() / 3;
  if (scale == 0 && free == Mat3::Zero()) return free;
  const Mat3 filled = free * block * free + scale * (Mat3::Identity() - free);
  return free * filled.inverse() * free;
}

Mat3 safe_inverse(const Mat3& block, const Mat3& extra) {
  constexpr double kRounding = 3e-7;
  const Mat3 sum = block + extra;
  if (!sum.allFinite()) return sum;
  return pseudo_inverse(sum, kRounding * std::min(1.0, block.trace() / sum.trace()));
}

void FilteredMatrix::invert_diagonal(int row, const Mat3& extra) {
  const Mat3 block = diagonal(row) + extra;
  inverse_[at(row)] =
      SymmetricBlock(is_filtered(row) ? inverse_within(block, free(row)) : positive_inverse(block));
}

void FilteredMatrix::assign(const BlockMatrix& matrix, const BlockProjection& projection) {
  matrix_ = &matrix;
  inverse_.resize(at(matrix.row_count()));
  set_projection(projection);
  coupled_.clear();
  parallel_for(row_count(), [&](int row) { invert_diagonal(row); });
}

void FilteredMatrix::set_projection(const BlockProjection& projection) {
  projection_ = projection;
  filter_.assign(at(row_count()), -1);
  for (size_t k = 0; k < projection.particles().size(); ++k)
    filter_[at(projection.particles()[k])] = static_cast<int>(k);
}

void FilteredMatrix::constrain(const BlockProjection& projection) {
  const BlockProjection before = projection_;
  set_projection(projection);
  for (const int row : before.particles()) invert_diagonal(row);
  for (const int row : projection.particles()) invert_diagonal(row);
}

void FilteredMatrix::couple(const PairCouplings& couplings) {
  for (const int row : coupled_) invert_diagonal(row);
  coupled_.assign(couplings.rows().begin(), couplings.rows().end());
  parallel_for(static_cast<int>(coupled_.size()),
               [&](int k) { invert_diagonal(coupled_[at(k)], couplings.diagonal(k)); });
}

void FilteredMatrix::sum_columns(int k, std::span<Vec3> y) const {
  const Vec3 unit = Vec3::Unit(k);
  const auto x = [&](int row) { return is_filtered(row) ? free(row).col(k).data() : unit.data(); };
  multiply_symmetric(pattern(), *matrix_, x, y);
  filter(y);
}

Mat3 FilteredMatrix::filtered(int row, int column, const Mat3& block) const {
  Mat3 out = block;
  if (is_filtered(row)) out = free(row) * out;
  if (is_filtered(column)) out = out * free(column);
  return out;
}

size_t FilteredMatrix::bytes() const {
  return projection_.bytes() + bytes_of(inverse_, filter_, coupled_);
}

}  // namespace heddle
