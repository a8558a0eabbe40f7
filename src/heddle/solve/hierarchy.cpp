#include <heddle/solve/hierarchy.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <map>
#include <queue>

namespace heddle {

namespace {

constexpr int kBlock = FilteredMatrix::kBlock;
constexpr int kRowChunk = 128;
/// Blocks of couplings that are this much smaller than the largest are left out.
constexpr double kNegligible = 1e-3;

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::span<const int> part(const std::vector<int>& start, const std::vector<int>& values, int row) {
  return {values.data() + start[at(row)], values.data() + start[at(row) + 1]};
}

std::span<const int> row_of(const BlockPattern& pattern, int row) {
  return part(pattern.row_start, pattern.columns, row);
}

void add_scaled(float scale, const float* from, float* to) {
  for (int i = 0; i < kBlock; ++i) to[i] += scale * from[i];
}

/// Puts whole neighbourhoods into groups, always the one that is wedged most tightly between those that are
/// there. On a regular mesh this gives a tiling, and interpolation from it is linear.
class NeighbourhoodPacking {
 public:
  explicit NeighbourhoodPacking(const BlockPattern& pattern)
      : pattern_(pattern), group_(at(pattern.row_count()), -1), touches_(group_.size()) {
    for (int row = 0; row < pattern.row_count(); ++row) {
      try_group(row);
      while (!candidates_.empty()) {
        const auto [score, negative] = candidates_.top();
        candidates_.pop();
        if (score == touches_[at(-negative)]) try_group(-negative);
      }
    }
  }
  /// Per row, or -1.
  const std::vector<int>& groups() const { return group_; }

 private:
  void try_group(int centre) {
    const auto taken = [&](int other) { return group_[at(other)] >= 0; };
    const auto neighbours = row_of(pattern_, centre);
    if (taken(centre) || std::any_of(neighbours.begin(), neighbours.end(), taken)) return;
    group_[at(centre)] = count_;
    for (const int other : neighbours) group_[at(other)] = count_;
    ++count_;
    // The centre is no nearer than three steps to any row that may be a centre yet.
    std::vector<int> touched;
    for (const int member : neighbours)
      for (const int near : row_of(pattern_, member))
        for (const int row : row_of(pattern_, near)) {
          if (taken(row)) continue;
          ++touches_[at(row)];
          touched.push_back(row);
        }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int row : touched) candidates_.emplace(touches_[at(row)], -row);
  }

  const BlockPattern& pattern_;
  std::vector<int> group_;
  std::vector<int> touches_;  // per row: ways of two steps to rows that are in groups
  std::priority_queue<std::pair<int, int>> candidates_;
  int count_ = 0;
};

/// Group of each row: first whole neighbourhoods, then the rows left over join a neighbour's group.
std::vector<int> group_rows(const BlockPattern& pattern) {
  const std::vector<int> first = NeighbourhoodPacking(pattern).groups();
  std::vector<int> group = first;
  for (int row = 0; row < pattern.row_count(); ++row)
    for (int other : row_of(pattern, row))
      if (group[at(row)] < 0) group[at(row)] = first[at(other)];
  return group;
}

void add_transpose(int coarse_count, Interpolation& p) {
  std::vector<std::vector<std::pair<int, float>>> rows(at(coarse_count));
  for (int i = 0; i < p.fine_count(); ++i)
    for (int k = p.fine_start[at(i)]; k < p.fine_start[at(i) + 1]; ++k)
      rows[at(p.coarse[at(k)])].emplace_back(i, p.weight[at(k)]);
  for (const auto& row : rows) {
    for (const auto& [fine, weight] : row) {
      p.fine.push_back(fine);
      p.fine_weight.push_back(weight);
    }
    p.coarse_start.push_back(static_cast<int>(p.fine.size()));
  }
}

/// Sorted union of some rows of a relation.
template <class Rows>
std::vector<int> union_of(const Rows& rows, const std::vector<int>& start, const std::vector<int>& values) {
  std::vector<int> out;
  for (int row : rows) {
    const auto more = part(start, values, row);
    out.insert(out.end(), more.begin(), more.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

Interpolation aggregate(const BlockPattern& graph) {
  const std::vector<int> group = group_rows(graph);
  Interpolation p;
  int groups = 0;
  for (int row = 0; row < graph.row_count(); ++row) {
    const auto neighbours = row_of(graph, row);
    const float share = 1.0F / (1.0F + static_cast<float>(neighbours.size()));
    std::map<int, float> weights{{group[at(row)], share}};
    for (int other : neighbours) weights[group[at(other)]] += share;
    for (const auto& [coarse, weight] : weights) {
      p.coarse.push_back(coarse);
      p.weight.push_back(weight);
      groups = std::max(groups, coarse + 1);
    }
    p.fine_start.push_back(static_cast<int>(p.coarse.size()));
  }
  add_transpose(groups, p);
  shrink(p.fine_start, p.coarse, p.weight, p.coarse_start, p.fine, p.fine_weight);
  return p;
}

void restrict_couplings(const PairCouplings& fine, const FilteredMatrix& matrix, const Interpolation& p,
                        PairCouplings& coarse) {
  coarse.clear();
  std::vector<PairCouplings::Entry> entries;
  for (int c = 0; c < fine.count(); ++c) {
    entries.clear();
    double longest = 0;
    for (const auto& [row, direction] : fine.entries(c)) {
      const Vec3 free = matrix.is_filtered(row) ? Vec3(matrix.free(row) * direction) : direction;
      longest = std::max(longest, free.norm());
      for (int k = p.fine_start[at(row)]; k < p.fine_start[at(row) + 1]; ++k)
        PairCouplings::add_entry(p.coarse[at(k)], static_cast<double>(p.weight[at(k)]) * free, entries);
    }
    std::erase_if(entries, [&](const PairCouplings::Entry& entry) {
      return entry.direction.norm() <= kNegligible * longest;
    });
    if (!entries.empty()) coarse.append(entries, fine.strength(c));
  }
  coarse.finish(p.coarse_count());
}

GalerkinProduct::Slot GalerkinProduct::slot(std::span<const int> sorted, int value) {
  const auto place = std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  HEDDLE_CHECK(place < kDiagonal);
  return static_cast<Slot>(place);
}

GalerkinProduct::GalerkinProduct(const FilteredMatrix& fine, const Interpolation& interpolation) {
  map_half_product(fine, interpolation);
  map_coarse(interpolation);
  shrink(half_.row_start, half_.columns, half_begin_, half_slot_, coarse_begin_, coarse_slot_);
  half_values_.resize(at(kBlock) * half_.columns.size() + 1);
  half_sum_.resize(at(fine.row_count()));
}

void GalerkinProduct::map_half_product(const FilteredMatrix& fine, const Interpolation& p) {
  for (int row = 0; row < fine.row_count(); ++row) {
    std::vector<int> blocks{row};  // in the order of half_product_row
    for (const BlockPattern* pattern : {&fine.pattern(), &fine.isotropic_pattern()}) {
      const auto neighbours = row_of(*pattern, row);
      blocks.insert(blocks.end(), neighbours.begin(), neighbours.end());
    }
    const std::vector<int> columns = union_of(blocks, p.fine_start, p.coarse);
    half_begin_.push_back(static_cast<int>(half_slot_.size()));
    for (int other : blocks)
      for (int coarse : part(p.fine_start, p.coarse, other)) half_slot_.push_back(slot(columns, coarse));
    half_.columns.insert(half_.columns.end(), columns.begin(), columns.end());
    half_.row_start.push_back(half_.block_count());
  }
}

void GalerkinProduct::map_coarse(const Interpolation& p) {
  BlockPattern pattern;
  for (int row = 0; row < p.coarse_count(); ++row) {
    const auto seen = part(p.coarse_start, p.fine, row);
    std::vector<int> columns = union_of(seen, half_.row_start, half_.columns);
    std::erase(columns, row);
    coarse_begin_.push_back(static_cast<int>(coarse_slot_.size()));
    for (int fine : seen)
      for (int coarse : row_of(half_, fine))
        coarse_slot_.push_back(coarse == row ? kDiagonal : slot(columns, coarse));
    pattern.columns.insert(pattern.columns.end(), columns.begin(), columns.end());
    pattern.row_start.push_back(pattern.block_count());
  }
  shrink(pattern.row_start, pattern.columns);
  coarse_ = Shared(std::move(pattern));
}

void GalerkinProduct::shape(FilteredMatrix& coarse) const {
  MatrixPattern full;
  full.isotropic.row_start.resize(at(coarse_->row_count()) + 1);
  coarse.full_ = Shared(std::move(full));
  coarse.pattern_ = coarse_;
  coarse.resize();
  coarse.is_coarse_ = true;
}

void GalerkinProduct::half_product_row(int row, const FilteredMatrix& fine, const Interpolation& p) {
  float* values = half_values_.data() + kBlock * half_.row_start[at(row)];
  std::fill(values, half_values_.data() + kBlock * half_.row_start[at(row) + 1], 0.0F);
  const Slot* slot = half_slot_.data() + half_begin_[at(row)];
  const auto for_weights = [&](int column, const auto& add) {
    for (int k = p.fine_start[at(column)]; k < p.fine_start[at(column) + 1]; ++k)
      add(p.weight[at(k)], values + kBlock * *slot++);
  };
  const auto add_block = [&](const float* block, int column) {
    for_weights(column, [&](float weight, float* to) { add_scaled(weight, block, to); });
  };
  const auto add_isotropic = [&](float value, int column) {
    for_weights(column, [&](float weight, float* to) {
      for (int i = 0; i < kBlock; i += 4) to[i] += weight * value;
    });
  };
  Mat3 sum = fine.row_sum(row);
  const auto add_filtered = [&](const Mat3& block, int column) {
    const Mat3 filtered = fine.filtered(row, column, block);
    if (fine.is_filtered(column)) sum -= block - block * fine.free(column);
    const Eigen::Matrix3f rounded = filtered.cast<float>();
    add_block(rounded.data(), column);
  };
  const bool filtered = fine.is_filtered(row);
  add_filtered(fine.diagonal(row), row);
  const BlockPattern& general = fine.pattern();
  for (int k = general.row_start[at(row)]; k < general.row_start[at(row) + 1]; ++k) {
    const int column = general.columns[at(k)];
    if (filtered || fine.is_filtered(column))
      add_filtered(Eigen::Map<const Eigen::Matrix3f>(fine.block(k)).cast<double>(), column);
    else
      add_block(fine.block(k), column);
  }
  const BlockPattern& isotropic = fine.isotropic_pattern();
  for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k) {
    const int column = isotropic.columns[at(k)];
    const double value = fine.isotropic_block(k);
    sum.diagonal().array() += value;
    if (filtered || fine.is_filtered(column))
      add_filtered(value * Mat3::Identity(), column);
    else
      add_isotropic(static_cast<float>(value), column);
  }
  half_sum_[at(row)] = filtered ? Mat3(fine.free(row) * sum) : sum;
}

Lanes GalerkinProduct::half_times(int row, const Vec3* c) const {
  const int* column = half_.columns.data() + half_.row_start[at(row)];
  const int* const end = half_.columns.data() + half_.row_start[at(row) + 1];
  const Lanes first = load_beyond(c[*column]);
  FloatLanes sum0{}, sum1{}, sum2{};
  // The first column's difference is zero.
  for (const float* value = half_values_.data() + kBlock * (half_.row_start[at(row)] + 1); ++column < end;
       value += kBlock) {
    const FloatLanes d = __builtin_convertvector(load_beyond(c[*column]) - first, FloatLanes);
    sum0 += load_floats(value) * d[0];
    sum1 += load_floats(value + 3) * d[1];
    sum2 += load_floats(value + 6) * d[2];
  }
  return times(half_sum_[at(row)], first) + __builtin_convertvector((sum0 + sum1) + sum2, Lanes);
}

void GalerkinProduct::coarse_row(int row, const Interpolation& p, FilteredMatrix& coarse) const {
  const int begin = coarse_->row_start[at(row)];
  const int end = coarse_->row_start[at(row) + 1];
  float* values = coarse.values_.data() + kBlock * begin;
  std::fill(values, values + kBlock * (end - begin), 0.0F);
  Mat3 sum = Mat3::Zero();
  const Slot* slot = coarse_slot_.data() + coarse_begin_[at(row)];
  for (int k = p.coarse_start[at(row)]; k < p.coarse_start[at(row) + 1]; ++k) {
    const int i = p.fine[at(k)];
    const float weight = p.fine_weight[at(k)];
    sum += static_cast<double>(weight) * half_sum_[at(i)];
    for (int h = half_.row_start[at(i)]; h < half_.row_start[at(i) + 1]; ++h, ++slot)
      if (*slot != kDiagonal) add_scaled(weight, half_values_.data() + kBlock * h, values + kBlock * *slot);
  }
  coarse.row_sum_[at(row)] = sum;
  Mat3 diagonal = sum;
  for (int k = begin; k < end; ++k)
    diagonal -= Eigen::Map<const Eigen::Matrix3f>(coarse.block(k)).cast<double>();
  diagonal = 0.5 * (diagonal + diagonal.transpose()).eval();
  coarse.diagonal_[at(row)] = diagonal;
  coarse.invert_diagonal(row);
}

size_t GalerkinProduct::bytes() const {
  return half_.bytes() +
         bytes_of(half_values_, half_sum_, half_begin_, half_slot_, coarse_begin_, coarse_slot_);
}

void GalerkinProduct::compute(const FilteredMatrix& fine, const Interpolation& p, FilteredMatrix& coarse) {
  coarse.coupled_.clear();
  parallel_for(
      fine.row_count(), [&](int row) { half_product_row(row, fine, p); }, kRowChunk);
  parallel_for(
      coarse.row_count(), [&](int row) { coarse_row(row, p, coarse); }, kRowChunk);
}

}  // namespace heddle
