#include <heddle/math/block_matrix.h>

#include <heddle/core/check.h>
#include <heddle/math/symmetric_product.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cstring>

namespace heddle {

namespace {

constexpr int kRowChunk = 256;
/// Small parts keep more threads busy, large ones have fewer blocks that reach beyond them.
int part_count(int rows) {
  return std::max({1, std::min(4, rows / 1250), std::min(32, rows / 10000)});
}
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

BlockPattern mirrored(const BlockPattern& upper) {
  BlockPattern out;
  const int n = upper.row_count();
  std::vector<int>& start = out.row_start;
  start.assign(static_cast<size_t>(n) + 1, 0);
  const auto for_blocks = [&](const auto& visit) {
    for (int row = 0; row < n; ++row)
      for (int k = upper.row_start[static_cast<size_t>(row)];
           k < upper.row_start[static_cast<size_t>(row) + 1]; ++k)
        if (upper.columns[static_cast<size_t>(k)] != row) visit(row, upper.columns[static_cast<size_t>(k)]);
  };
  for_blocks([&](int row, int column) {
    ++start[static_cast<size_t>(row) + 1];
    ++start[static_cast<size_t>(column) + 1];
  });
  for (size_t row = 0; row < static_cast<size_t>(n); ++row) start[row + 1] += start[row];
  out.columns.resize(static_cast<size_t>(start.back()));
  std::vector<int> next(start.begin(), start.end() - 1);
  // First all that lie left of the diagonal, row by row, then those right of it: both come in order.
  for_blocks([&](int row, int column) {
    out.columns[static_cast<size_t>(next[static_cast<size_t>(column)]++)] = row;
  });
  for_blocks([&](int row, int column) {
    out.columns[static_cast<size_t>(next[static_cast<size_t>(row)]++)] = column;
  });
  return out;
}

int MatrixPattern::block_count() const {
  const int stored = general.block_count() + isotropic.block_count();
  return is_whole ? stored : 2 * stored - row_count();
}

int MatrixPattern::place(int row, int column) const {
  if (column < row && !is_whole) {
    HEDDLE_CHECK(place(column, row) != kMirrored);
    return kMirrored;
  }
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
      if (compact_ ? a < b : a != b) pairs_.push_back({a, b, isotropic && compact_});
}

MatrixPattern BlockPatternBuilder::build() const {
  std::vector<Pair> entries = pairs_;
  for (int row = 0; row < rows_; ++row) entries.push_back({row, row});
  std::sort(entries.begin(), entries.end());  // of equal blocks the general ones come first, and stay
  const auto same = [](const Pair& a, const Pair& b) { return a.same_block(b); };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  MatrixPattern pattern;
  pattern.is_whole = !compact_;
  size_t next = 0;
  for (int row = 0; row < rows_; ++row) {
    for (; next < entries.size() && entries[next].row == row; ++next)
      (entries[next].isotropic ? pattern.isotropic : pattern.general).columns.push_back(entries[next].column);
    pattern.general.row_start.push_back(pattern.general.block_count());
    pattern.isotropic.row_start.push_back(pattern.isotropic.block_count());
  }
  return pattern;
}

UpperRows::UpperRows(const MatrixPattern& pattern) {
  const int n = pattern.row_count();
  part_size_ = std::max(1, chunk_count(n, part_count(n)));
  const int parts = chunk_count(n, part_size_);
  start_.assign(static_cast<size_t>(parts) + 1, 0);
  if (pattern.is_whole) return;
  std::vector<std::pair<int, Reaching>> found;  // by columns
  for (int row = 0; row < n; ++row)
    for (const bool is_isotropic : {false, true}) {
      const BlockPattern& blocks = is_isotropic ? pattern.isotropic : pattern.general;
      for (int k = blocks.row_start[static_cast<size_t>(row)];
           k < blocks.row_start[static_cast<size_t>(row) + 1]; ++k) {
        const int column = blocks.columns[static_cast<size_t>(k)];
        if (column / part_size_ != row / part_size_) found.push_back({column, {row, is_isotropic ? ~k : k}});
      }
    }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [column, block] : found) {
    ++start_[static_cast<size_t>(column / part_size_) + 1];
    reaching_.push_back(block);
  }
  for (size_t part = 0; part < static_cast<size_t>(parts); ++part) start_[part + 1] += start_[part];
  shrink(reaching_);
}

BlockMatrix::BlockMatrix(MatrixPattern pattern) : pattern_(std::move(pattern)), rows_(UpperRows(*pattern_)) {
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

void BlockMatrix::multiply(std::span<const Vec3> x, std::span<Vec3> y) const {
  HEDDLE_CHECK(static_cast<int>(x.size()) >= row_count());
  HEDDLE_CHECK(static_cast<int>(y.size()) >= row_count());
  if (!pattern_->is_whole) return multiply_symmetric(*pattern_, *this, values_of(x), y);
  const BlockPattern& general = pattern_->general;  // promises are not kept for whole patterns
  parallel_for(
      row_count(),
      [&](int row) {
        const auto i = static_cast<size_t>(row);
        Vec3 sum = Vec3::Zero();
        for (int k = general.row_start[i]; k < general.row_start[i + 1]; ++k)
          sum += block(k) * x[static_cast<size_t>(general.columns[static_cast<size_t>(k)])];
        y[i] = sum;
      },
      kRowChunk);
}

}  // namespace heddle
