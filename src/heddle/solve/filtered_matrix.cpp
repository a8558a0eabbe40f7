#include <heddle/solve/filtered_matrix.h>

#include <heddle/core/memory.h>
#include <heddle/math/symmetric_eigen.h>
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

/// Inverse on the directions that exceed the rounding of the blocks; the others are constrained in all
/// members of the groups of a coarse level.
Mat3 safe_inverse(const Mat3& block, const Mat3& extra) {
  constexpr double kRounding = 3e-7;
  const Mat3 sum = block + extra;
  if (!sum.allFinite()) return sum;
  return pseudo_inverse(sum, kRounding * std::min(1.0, block.trace() / sum.trace()));
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

void FilteredMatrix::set_pattern(const Shared<MatrixPattern>& pattern) {
  full_ = pattern;
  const BlockPattern& all = full_->general;
  BlockPattern general;
  general.row_start.reserve(all.row_start.size());
  general.columns.reserve(all.columns.size() - at(all.row_count()));
  for (int row = 0; row < all.row_count(); ++row) {
    for (int k = all.row_start[at(row)]; k < all.row_start[at(row) + 1]; ++k)
      if (all.columns[at(k)] != row) general.columns.push_back(all.columns[at(k)]);
    general.row_start.push_back(general.block_count());
  }
  pattern_ = Shared(std::move(general));
  resize();
  is_coarse_ = false;
}

void FilteredMatrix::resize() {
  values_.assign(kBlock * pattern_->columns.size() + 1, 0.0F);
  isotropic_values_.assign(isotropic_pattern().columns.size(), 0.0);
  for (auto* blocks : {&row_sum_, &diagonal_, &inverse_}) blocks->assign(at(row_count()), Mat3::Zero());
  projection_.clear();
  filter_.assign(at(row_count()), -1);
}

void FilteredMatrix::invert_diagonal(int row, const Mat3& extra) {
  if (is_coarse_) {
    inverse_[at(row)] = safe_inverse(diagonal_[at(row)], extra);
    return;
  }
  const Mat3 block = diagonal_[at(row)] + extra;
  inverse_[at(row)] = is_filtered(row) ? inverse_within(block, free(row)) : Mat3(block.inverse());
  if (!is_filtered(row) && !is_positive(block)) inverse_[at(row)].setConstant(NAN);
}

void FilteredMatrix::assign_row(int row, const BlockMatrix& matrix) {
  const int diagonal = matrix.diagonal_slot(row);
  diagonal_[at(row)] = matrix.block(diagonal);
  invert_diagonal(row);
  Mat3 sum = diagonal_[at(row)];
  float* value = values_.data() + kBlock * pattern_->row_start[at(row)];
  for (int k = full_->general.row_start[at(row)]; k < full_->general.row_start[at(row) + 1]; ++k) {
    if (k == diagonal) continue;
    const Eigen::Map<const Mat3> block = matrix.block(k);
    sum += block;
    for (int i = 0; i < kBlock; ++i) *value++ = static_cast<float>(block.data()[i]);
  }
  row_sum_[at(row)] = sum;
  const BlockPattern& isotropic = isotropic_pattern();
  for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k)
    isotropic_values_[at(k)] = matrix.isotropic_block(k);
}

void FilteredMatrix::assign(const BlockMatrix& matrix, const BlockProjection& projection) {
  if (matrix.shared_pattern() != full_) set_pattern(matrix.shared_pattern());
  set_projection(projection);
  coupled_.clear();
  parallel_for(row_count(), [&](int row) { assign_row(row, matrix); });
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

Mat3 FilteredMatrix::filtered(int row, int column, const Mat3& block) const {
  Mat3 out = block;
  if (is_filtered(row)) out = free(row) * out;
  if (is_filtered(column)) out = out * free(column);
  return out;
}

size_t FilteredMatrix::bytes() const {
  return pattern_->bytes() + projection_.bytes() +
         bytes_of(values_, isotropic_values_, row_sum_, diagonal_, inverse_, filter_, coupled_);
}

}  // namespace heddle
