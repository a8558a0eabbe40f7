#include <heddle/solve/incomplete_cholesky.h>

#include <Eigen/Cholesky>

#include <algorithm>

namespace heddle {

namespace {

/// Pivots below this share of the diagonal count as lost.
constexpr double kLeastPivot = 1e-3;
/// The first growth of the diagonal, by how much more it grows each time, and how often.
constexpr double kFirstGrowth = 1e-3;
constexpr double kMoreGrowth = 4;
constexpr int kAttempts = 8;

size_t at(int i) {
  return static_cast<size_t>(i);
}

bool is_positive(const Mat3& block) {
  return Eigen::LLT<Mat3>(block).info() == Eigen::Success;
}

}  // namespace

void IncompleteCholesky::set_pattern() {
  pattern_ = matrix_->matrix().shared_pattern();
  std::vector<std::vector<int>> rows(at(matrix_->row_count()));
  for (int row = 0; row < matrix_->row_count(); ++row)
    for (const BlockPattern* pattern : {&pattern_->general, &pattern_->isotropic})
      for (int k = pattern->row_start[at(row)]; k < pattern->row_start[at(row) + 1]; ++k)
        if (pattern->columns[at(k)] > row) rows[at(pattern->columns[at(k)])].push_back(row);
  lower_ = {};
  for (const std::vector<int>& row : rows) {
    lower_.columns.insert(lower_.columns.end(), row.begin(), row.end());
    lower_.row_start.push_back(lower_.block_count());
  }
  values_.resize(BlockMatrix::kBlock * lower_.columns.size());
}

void IncompleteCholesky::load_blocks() {
  const BlockMatrix& matrix = matrix_->matrix();
  const BlockPattern &general = pattern_->general, &isotropic = pattern_->isotropic;
  for (int row = 0; row < matrix.row_count(); ++row) {
    for (int k = general.row_start[at(row)] + 1; k < general.row_start[at(row) + 1]; ++k)
      block(lower_.slot(general.columns[at(k)], row)) = matrix.block(k).transpose().cast<float>();
    for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k)
      block(lower_.slot(isotropic.columns[at(k)], row)) =
          static_cast<float>(matrix.isotropic_block(k)) * Eigen::Matrix3f::Identity();
  }
}

bool IncompleteCholesky::finish_row(int row, double growth) {
  const int begin = lower_.row_start[at(row)], end = lower_.row_start[at(row) + 1];
  scaled_.resize(at(end - begin));
  Mat3 pivot = (1 + growth) * diagonal_[at(row)];
  for (int k = begin; k < end; ++k) {
    const int column = lower_.columns[at(k)];
    Mat3 value = block(k).cast<double>();
    int mine = begin, other = lower_.row_start[at(column)];
    const int other_end = lower_.row_start[at(column) + 1];
    while (mine < k && other < other_end) {
      const int difference = lower_.columns[at(mine)] - lower_.columns[at(other)];
      if (difference == 0) value -= scaled_[at(mine - begin)] * block(other).cast<double>().transpose();
      mine += difference <= 0;
      other += difference >= 0;
    }
    block(k) = value.cast<float>();
    scaled_[at(k - begin)] = value * inverse_[at(column)];
    pivot -= scaled_[at(k - begin)] * value.transpose();
  }
  pivot = 0.5 * (pivot + pivot.transpose()).eval();
  const Mat3 free = matrix_->is_filtered(row) ? matrix_->free(row) : Mat3(Mat3::Identity());
  const Mat3 margin = pivot - kLeastPivot * diagonal_[at(row)];
  const double size = diagonal_[at(row)].trace() / 3;
  if (!is_positive(free * margin * free + (size > 0 ? size : 1.0) * (Mat3::Identity() - free))) return false;
  inverse_[at(row)] = inverse_within(pivot, free);
  return true;
}

bool IncompleteCholesky::try_factor(double growth) {
  load_blocks();
  for (int row = 0; row < matrix_->row_count(); ++row)
    if (!finish_row(row, growth)) return false;
  return true;
}

void IncompleteCholesky::give_up() {
  std::fill(values_.begin(), values_.end(), 0.0F);
  for (int row = 0; row < matrix_->row_count(); ++row) inverse_[at(row)] = matrix_->diagonal_inverse(row);
}

void IncompleteCholesky::factor(const FilteredMatrix& matrix, PairCouplings& couplings) {
  matrix_ = &matrix;
  if (matrix.matrix().shared_pattern() != pattern_) set_pattern();
  couple(couplings);
}

void IncompleteCholesky::couple(PairCouplings& couplings) {
  const int n = matrix_->row_count();
  diagonal_.resize(at(n));
  inverse_.resize(at(n));
  for (int row = 0; row < n; ++row) diagonal_[at(row)] = matrix_->diagonal(row);
  for (size_t k = 0; k < couplings.rows().size(); ++k)
    diagonal_[at(couplings.rows()[k])] += couplings.diagonal(static_cast<int>(k));
  double growth = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (try_factor(growth)) return;
    growth = growth > 0 ? kMoreGrowth * growth : kFirstGrowth;
  }
  give_up();
}

void IncompleteCholesky::apply(std::vector<Vec3>& r, std::vector<Vec3>& z) {
  const int n = matrix_->row_count();
  for (int row = 0; row < n; ++row) {
    Vec3 rest = r[at(row)];
    for (int k = lower_.row_start[at(row)]; k < lower_.row_start[at(row) + 1]; ++k)
      rest -= block(k).cast<double>() * z[at(lower_.columns[at(k)])];
    z[at(row)] = inverse_[at(row)] * rest;
  }
  // L is stored by rows: each row adds its part of L^T z to the rows before it.
  sum_.assign(at(n), Vec3::Zero());
  for (int row = n - 1; row >= 0; --row) {
    z[at(row)] -= inverse_[at(row)] * sum_[at(row)];
    for (int k = lower_.row_start[at(row)]; k < lower_.row_start[at(row) + 1]; ++k)
      sum_[at(lower_.columns[at(k)])] += block(k).cast<double>().transpose() * z[at(row)];
  }
}

}  // namespace heddle
