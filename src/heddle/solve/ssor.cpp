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
  if (matrix.patterns() == patterns_ && partition_.owner.size() == at(matrix.row_count())) return;
  patterns_ = matrix.patterns();
  partition_ = partition_rows(*patterns_.full, partition_rows_);
}

Lanes Ssor::product(int row, bool left, const std::vector<Vec3>& x) const {
  const BlockPattern &general = matrix_->pattern(), &isotropic = matrix_->isotropic_pattern();
  const auto counts = [&](int column) {
    return (column < row) == left && partition_.owner[at(column)] == partition_.owner[at(row)];
  };
  // Not load_beyond(): the neighbour in memory may belong to another partition, whose thread writes it.
  FloatLanes sum0{}, sum1{}, sum2{};
  for (int k = general.row_start[at(row)]; k < general.row_start[at(row) + 1]; ++k) {
    const int column = general.columns[at(k)];
    if (!counts(column)) continue;
    const FloatLanes xj = __builtin_convertvector(load(x[at(column)]), FloatLanes);
    const float* value = matrix_->block(k);
    sum0 += load_floats(value) * xj[0];
    sum1 += load_floats(value + 3) * xj[1];
    sum2 += load_floats(value + 6) * xj[2];
  }
  Lanes sum = __builtin_convertvector((sum0 + sum1) + sum2, Lanes);
  for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k)
    if (const int column = isotropic.columns[at(k)]; counts(column))
      sum += matrix_->isotropic_block(k) * load(x[at(column)]);
  return sum;
}

void Ssor::sweep(std::span<const int> rows, const std::vector<Vec3>& r, std::vector<Vec3>& z) const {
  // The inverse diagonal blocks are filtered on both sides, so iterates are, and the blocks of L need not be.
  for (const int row : rows) {
    const Lanes rest = load(r[at(row)]) - product(row, true, z);
    store(relaxation_ * times(matrix_->diagonal_inverse(row), rest), z[at(row)]);
  }
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const Lanes above = product(*row, false, z);
    store((2 - relaxation_) * load(z[at(*row)]) - relaxation_ * times(matrix_->diagonal_inverse(*row), above),
          z[at(*row)]);
  }
}

void Ssor::apply(std::vector<Vec3>& r, std::vector<Vec3>& z) {
  for_chunks(
      partition_.count(), [&](int part, int, int) { sweep(partition_.of(part), r, z); }, 1);
}

}  // namespace heddle
