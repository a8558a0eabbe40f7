#include <heddle/solve/ssor.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

Ssor::Split Ssor::split(const BlockPattern& pattern, int row, RowRange partition) {
  const auto first = pattern.columns.begin() + pattern.row_start[at(row)];
  const auto last = pattern.columns.begin() + pattern.row_start[at(row) + 1];
  const auto place = [&](int column) {
    return static_cast<int>(std::lower_bound(first, last, column) - pattern.columns.begin());
  };
  return {place(partition.begin), place(row), place(partition.end)};
}

void Ssor::factor(const FilteredMatrix& matrix, PairCouplings&) {
  matrix_ = &matrix;
  const int n = matrix.row_count();
  general_.resize(at(n));
  isotropic_.resize(at(n));
  for_chunks(
      n,
      [&](int begin, int end, int) {
        for (int row = begin; row < end; ++row) {
          general_[at(row)] = split(matrix.pattern(), row, {begin, end});
          isotropic_[at(row)] = split(matrix.isotropic_pattern(), row, {begin, end});
        }
      },
      std::clamp(n, 1, partition_rows_));
}

Lanes Ssor::product(int begin, int end, int isotropic_begin, int isotropic_end,
                    const std::vector<Vec3>& x) const {
  // Not load_beyond(): the neighbour in memory may belong to another partition, whose thread writes it.
  FloatLanes sum0{}, sum1{}, sum2{};
  const float* value = matrix_->block(begin);
  for (int k = begin; k < end; ++k, value += FilteredMatrix::kBlock) {
    const FloatLanes xj = __builtin_convertvector(load(x[at(matrix_->pattern().columns[at(k)])]), FloatLanes);
    sum0 += load_floats(value) * xj[0];
    sum1 += load_floats(value + 3) * xj[1];
    sum2 += load_floats(value + 6) * xj[2];
  }
  Lanes sum = __builtin_convertvector((sum0 + sum1) + sum2, Lanes);
  for (int k = isotropic_begin; k < isotropic_end; ++k)
    sum += matrix_->isotropic_block(k) * load(x[at(matrix_->isotropic_pattern().columns[at(k)])]);
  return sum;
}

void Ssor::sweep(RowRange partition, const std::vector<Vec3>& r, std::vector<Vec3>& z) const {
  // The inverse diagonal blocks are filtered on both sides, so iterates are, and the blocks of L need not be.
  for (int row = partition.begin; row < partition.end; ++row) {
    const Split &g = general_[at(row)], &i = isotropic_[at(row)];
    const Lanes rest = load(r[at(row)]) - product(g.begin, g.middle, i.begin, i.middle, z);
    store(relaxation_ * times(matrix_->diagonal_inverse(row), rest), z[at(row)]);
  }
  for (int row = partition.end - 1; row >= partition.begin; --row) {
    const Split &g = general_[at(row)], &i = isotropic_[at(row)];
    const Lanes above = product(g.middle, g.end, i.middle, i.end, z);
    store((2 - relaxation_) * load(z[at(row)]) - relaxation_ * times(matrix_->diagonal_inverse(row), above),
          z[at(row)]);
  }
}

void Ssor::apply(std::vector<Vec3>& r, std::vector<Vec3>& z) {
  const int n = matrix_->row_count();
  for_chunks(
      n,
      [&](int begin, int end, int) {
        sweep({begin, end}, r, z);
      },
      std::clamp(n, 1, partition_rows_));
}

}  // namespace heddle
