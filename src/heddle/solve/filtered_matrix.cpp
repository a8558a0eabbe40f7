#include <heddle/solve/filtered_matrix.h>

#include <heddle/parallel/parallel.h>

#include <Eigen/LU>

#include <cstring>

namespace heddle {

namespace {

using Doubles = double __attribute__((vector_size(32)));
using Floats = float __attribute__((vector_size(16)));

template <class Lanes, class T>
Lanes load(const T* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Inverse of a symmetric block on the range of its projector, zero elsewhere.
Mat3 inverse_within(const Mat3& block, const Mat3& free) {
  // The constrained directions get a number of the block's own size, so that the inverse stays well
  // conditioned.
  const double scale = block.trace() / 3;
  const Mat3 filled = free * block * free + scale * (Mat3::Identity() - free);
  return free * filled.inverse() * free;
}

}  // namespace

void FilteredMatrix::set_pattern(const BlockPattern& pattern) {
  full_ = pattern;
  BlockPattern reduced;
  for (int row = 0; row < pattern.row_count(); ++row) {
    for (int k = pattern.row_start[at(row)]; k < pattern.row_start[at(row) + 1]; ++k)
      if (pattern.columns[at(k)] != row) reduced.columns.push_back(pattern.columns[at(k)]);
    reduced.row_start.push_back(reduced.block_count());
  }
  resize(reduced);
}

void FilteredMatrix::resize(const BlockPattern& without_diagonal) {
  pattern_ = without_diagonal;
  values_.assign(kBlock * pattern_.columns.size() + 1, 0.0F);
  for (auto* blocks : {&row_sum_, &diagonal_, &inverse_}) blocks->assign(at(row_count()), Mat3::Zero());
}

void FilteredMatrix::filter_row(int row, const BlockMatrix& matrix) {
  const int own = filter_[at(row)];
  const auto filtered = [&](int slot, int other) -> Mat3 {
    Mat3 block = matrix.block(slot);
    if (own >= 0) block = projection_.free(at(own)) * block;
    if (other >= 0) block = block * projection_.free(at(other));
    return block;
  };
  const int diagonal = matrix.diagonal_slot(row);
  const Mat3 free = own >= 0 ? projection_.free(at(own)) : Mat3::Identity();
  inverse_[at(row)] =
      own >= 0 ? inverse_within(matrix.block(diagonal), free) : Mat3(matrix.block(diagonal).inverse());
  diagonal_[at(row)] = filtered(diagonal, own);
  Mat3 sum = diagonal_[at(row)];
  float* value = values_.data() + kBlock * pattern_.row_start[at(row)];
  for (int k = full_.row_start[at(row)]; k < full_.row_start[at(row) + 1]; ++k) {
    if (k == diagonal) continue;
    const Mat3 block = filtered(k, filter_[at(full_.columns[at(k)])]);
    sum += block;
    for (int i = 0; i < kBlock; ++i) *value++ = static_cast<float>(block.data()[i]);
  }
  row_sum_[at(row)] = sum;
}

void FilteredMatrix::assign(const BlockMatrix& matrix, const BlockProjection& projection) {
  const BlockPattern& pattern = matrix.pattern();
  if (pattern.row_start != full_.row_start || pattern.columns != full_.columns) set_pattern(pattern);
  projection_ = projection;
  filter_.assign(at(row_count()), -1);
  for (size_t k = 0; k < projection.particles().size(); ++k)
    filter_[at(projection.particles()[k])] = static_cast<int>(k);
  parallel_for(row_count(), [&](int row) { filter_row(row, matrix); });
}

Vec3 FilteredMatrix::row_times(int row, const Vec3* x) const {
  const int begin = pattern_.row_start[at(row)];
  const int end = pattern_.row_start[at(row) + 1];
  const float* value = block(begin);
  const auto own = load<Doubles>(x[row].data());
  Floats sum0{}, sum1{}, sum2{};
  for (int k = begin; k < end; ++k, value += kBlock) {
    const Doubles difference = load<Doubles>(x[pattern_.columns[at(k)]].data()) - own;
    const Floats d = __builtin_convertvector(difference, Floats);
    sum0 += load<Floats>(value) * d[0];
    sum1 += load<Floats>(value + 3) * d[1];
    sum2 += load<Floats>(value + 6) * d[2];
  }
  const Floats sum = sum0 + sum1 + sum2;
  return row_sum_[at(row)] * x[row] + Vec3(sum[0], sum[1], sum[2]);
}

}  // namespace heddle
