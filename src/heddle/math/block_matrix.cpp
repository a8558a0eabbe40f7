#include <heddle/math/block_matrix.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cstring>

namespace heddle {

namespace {

using Lanes = double __attribute__((vector_size(32)));

Lanes load(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

constexpr int kRowChunk = 256;
constexpr int kValueChunk = 1 << 16;

}  // namespace

int BlockPattern::slot(int row, int column) const {
  const auto begin = columns.begin() + row_start[static_cast<size_t>(row)];
  const auto end = columns.begin() + row_start[static_cast<size_t>(row) + 1];
  const auto found = std::lower_bound(begin, end, column);
  HEDDLE_CHECK(found != end && *found == column);
  return static_cast<int>(found - columns.begin());
}

void BlockPatternBuilder::couple(std::span<const int> particles, bool isotropic) {
  for (int a : particles)
    for (int b : particles)
      if (a != b) pairs_.push_back({a, b, isotropic});
}

BlockPattern BlockPatternBuilder::build() const {
  std::vector<Pair> entries = pairs_;
  for (int row = 0; row < rows_; ++row) entries.push_back({row, row});
  std::sort(entries.begin(), entries.end());  // of equal blocks the general ones come first, and stay
  const auto same = [](const Pair& a, const Pair& b) { return a.same_block(b); };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  BlockPattern pattern;
  pattern.row_start.assign(static_cast<size_t>(rows_) + 1, 0);
  pattern.columns.reserve(entries.size());
  pattern.isotropic.reserve(entries.size());
  for (const auto& [row, column, isotropic] : entries) {
    ++pattern.row_start[static_cast<size_t>(row) + 1];
    pattern.columns.push_back(column);
    pattern.isotropic.push_back(isotropic);
  }
  for (size_t row = 0; row < static_cast<size_t>(rows_); ++row)
    pattern.row_start[row + 1] += pattern.row_start[row];
  return pattern;
}

BlockMatrix::BlockMatrix(BlockPattern pattern) : pattern_(std::move(pattern)) {
  for (int row = 0; row < pattern_.row_count(); ++row) diagonal_.push_back(pattern_.slot(row, row));
  values_.assign(static_cast<size_t>(kBlock) * static_cast<size_t>(pattern_.block_count()) + 1, 0.0);
}

void BlockMatrix::copy_values(const BlockMatrix& other) {
  HEDDLE_CHECK_EQ(values_.size(), other.values_.size());
  for_chunks(
      static_cast<int>(values_.size()),
      [&](int begin, int end, int) {
        std::copy(other.values_.begin() + begin, other.values_.begin() + end, values_.begin() + begin);
      },
      kValueChunk);
}

void BlockMatrix::set_zero() {
  const int count = static_cast<int>(values_.size());
  for_chunks(
      count, [&](int begin, int end, int) { std::fill(values_.begin() + begin, values_.begin() + end, 0.0); },
      kValueChunk);
}

Vec3 BlockMatrix::row_times(int row, const Vec3* x) const {
  // Each block column is read as four values, of which the last belongs to the next column and is dropped.
  const int begin = pattern_.row_start[static_cast<size_t>(row)];
  const int end = pattern_.row_start[static_cast<size_t>(row) + 1];
  const double* value = values_.data() + kBlock * begin;
  const int* column = pattern_.columns.data() + begin;
  Lanes sum0{}, sum1{}, sum2{};
  for (int k = begin; k < end; ++k, value += kBlock, ++column) {
    const double* xj = x[*column].data();
    sum0 += load(value) * xj[0];
    sum1 += load(value + 3) * xj[1];
    sum2 += load(value + 6) * xj[2];
  }
  const Lanes sum = sum0 + sum1 + sum2;
  return {sum[0], sum[1], sum[2]};
}

void BlockMatrix::multiply(std::span<const Vec3> x, std::span<Vec3> y) const {
  HEDDLE_CHECK_EQ(static_cast<int>(x.size()), row_count());
  HEDDLE_CHECK_EQ(static_cast<int>(y.size()), row_count());
  for_chunks(
      row_count(),
      [&](int begin, int end, int) {
        for (int row = begin; row < end; ++row) y[static_cast<size_t>(row)] = row_times(row, x.data());
      },
      kRowChunk);
}

}  // namespace heddle
