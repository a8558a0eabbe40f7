#include <heddle/solve/ssor.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void Ssor::factor(const FilteredMatrix& matrix, PairCouplings&) {
  matrix_ = &matrix;
  const Shared<MatrixPattern>& pattern = matrix.matrix().shared_pattern();
  if (pattern == pattern_ && partition_.owner.size() == at(matrix.row_count())) return;
  pattern_ = pattern;
  partition_ = partition_rows(*pattern_, partition_rows_);
}

template <class Visit>
void Ssor::for_blocks(int row, const Visit& visit) const {
  const BlockPattern &general = pattern_->general, &isotropic = pattern_->isotropic;
  const auto is_inner = [&](int column) { return partition_.owner[at(column)] == partition_.owner[at(row)]; };
  for (int k = general.row_start[at(row)] + 1; k < general.row_start[at(row) + 1]; ++k)
    if (const int column = general.columns[at(k)]; is_inner(column))
      visit(column, matrix_->matrix().block(k));
  for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k)
    if (const int column = isotropic.columns[at(k)]; is_inner(column))
      visit(column, matrix_->matrix().isotropic_block(k) * Mat3::Identity());
}

void Ssor::sweep(std::span<const int> rows, const std::vector<Vec3>& r, std::vector<Vec3>& z) const {
  // The inverse diagonal blocks are filtered on both sides, so iterates are, and the blocks of L need not be.
  for (const int row : rows) z[at(row)] = r[at(row)];
  for (const int row : rows) {
    Vec3& value = z[at(row)];
    value = relaxation_ * (matrix_->diagonal_inverse(row) * value);
    for_blocks(row, [&](int column, const auto& block) { z[at(column)] -= block.transpose() * value; });
  }
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    Vec3 above = Vec3::Zero();
    for_blocks(*row, [&](int column, const auto& block) { above += block * z[at(column)]; });
    z[at(*row)] = (2 - relaxation_) * z[at(*row)] - relaxation_ * (matrix_->diagonal_inverse(*row) * above);
  }
}

void Ssor::apply(std::vector<Vec3>& r, std::vector<Vec3>& z) {
  for_chunks(
      partition_.count(), [&](int part, int, int) { sweep(partition_.of(part), r, z); }, 1);
}

}  // namespace heddle
