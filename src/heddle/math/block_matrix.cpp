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

void copy(const std::vector<double>& from, std::vector<double>& to) {
  HEDDLE_CHECK_EQ(from.size(), to.size());
  for_chunks(
      static_cast<int>(to.size()),
      [&](int begin, int end, int) {
        std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin);
      },
      kValueChunk);
}

void fill_zero(std::vector<double>& values) {
  for_chunks(
      static_cast<int>(values.size()),
      [&](int begin, int end, int) { std::fill(values.begin() + begin, values.begin() + end, 0.0); },
      kValueChunk);
}

}  // namespace

int BlockPattern::find(int row, int column) const {
  const auto begin = columns.begin() + row_start[static_cast<size_t>(row)];
  const auto end = columns.begin() + row_start[static_cast<size_t>(row) + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? static_cast<int>(found - columns.begin()) : -1;
}

int BlockPattern::slot(int row, int column) const {
  const int found = find(row, column);
  HEDDLE_CHECK(found >= 0);
  return found;
}

int MatrixPattern::place(int row, int column) const {
  const int found = general.find(row, column);
  return found >= 0 ? found : ~isotropic.slot(row, column);
}

std::vector<RowRange> MatrixPattern::parts() const {
  std::vector<RowRange> parts;
  int begin = 0, last = 0;
  for (int row = 0; row < row_count(); ++row) {
    for (const BlockPattern* pattern : {&general, &isotropic}) {
      const int end = pattern->row_start[static_cast<size_t>(row) + 1];
      if (end > pattern->row_start[static_cast<size_t>(row)])
        last = std::max(last, pattern->columns[static_cast<size_t>(end) - 1]);
    }
    if (last > row) continue;
    parts.push_back({begin, row + 1});
    begin = row + 1;
  }
  return parts;
}

void BlockPatternBuilder::couple(std::span<const int> particles, bool isotropic) {
  for (int a : particles)
    for (int b : particles)
      if (a != b) pairs_.push_back({a, b, isotropic && compact_});
}

MatrixPattern BlockPatternBuilder::build() const {
  std::vector<Pair> entries = pairs_;
  for (int row = 0; row < rows_; ++row) entries.push_back({row, row});
  std::sort(entries.begin(), entries.end());  // of equal blocks the general ones come first, and stay
  const auto same = [](const Pair& a, const Pair& b) { return a.same_block(b); };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  MatrixPattern pattern;
  size_t next = 0;
  for (int row = 0; row < rows_; ++row) {
    for (; next < entries.size() && entries[next].row == row; ++next)
      (entries[next].isotropic ? pattern.isotropic : pattern.general).columns.push_back(entries[next].column);
    pattern.general.row_start.push_back(pattern.general.block_count());
    pattern.isotropic.row_start.push_back(pattern.isotropic.block_count());
  }
  return pattern;
}

BlockMatrix::BlockMatrix(MatrixPattern pattern) : pattern_(std::move(pattern)) {
  for (int row = 0; row < pattern_->row_count(); ++row) diagonal_.push_back(pattern_->general.slot(row, row));
  values_.assign(static_cast<size_t>(kBlock) * static_cast<size_t>(pattern_->general.block_count()) + 1, 0.0);
  isotropic_values_.assign(static_cast<size_t>(pattern_->isotropic.block_count()), 0.0);
}

void BlockMatrix::copy_values(const BlockMatrix& other) {
  copy(other.values_, values_);
  copy(other.isotropic_values_, isotropic_values_);
}

void BlockMatrix::set_zero() {
  fill_zero(values_);
  fill_zero(isotropic_values_);
}

Vec3 BlockMatrix::row_times(int row, const Vec3* x) const {
  // Each block column is read as four values, of which the last belongs to the next column and is dropped.
  const BlockPattern &general = pattern_->general, &isotropic = pattern_->isotropic;
  const int begin = general.row_start[static_cast<size_t>(row)];
  const int end = general.row_start[static_cast<size_t>(row) + 1];
  const double* value = values_.data() + kBlock * begin;
  const int* column = general.columns.data() + begin;
  Lanes sum0{}, sum1{}, sum2{};
  for (int k = begin; k < end; ++k, value += kBlock, ++column) {
    const double* xj = x[*column].data();
    sum0 += load(value) * xj[0];
    sum1 += load(value + 3) * xj[1];
    sum2 += load(value + 6) * xj[2];
  }
  const Lanes sum = sum0 + sum1 + sum2;
  Vec3 result(sum[0], sum[1], sum[2]);
  const int isotropic_end = isotropic.row_start[static_cast<size_t>(row) + 1];
  for (int k = isotropic.row_start[static_cast<size_t>(row)]; k < isotropic_end; ++k)
    result += isotropic_values_[static_cast<size_t>(k)] * x[isotropic.columns[static_cast<size_t>(k)]];
  return result;
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
