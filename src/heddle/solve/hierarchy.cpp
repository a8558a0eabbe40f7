#include <heddle/solve/hierarchy.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <map>
#include <queue>

namespace heddle {

namespace {

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

void restrict_couplings(const PairCouplings& fine, const FilteredMatrix* filter, const Interpolation& p,
                        PairCouplings& coarse) {
  coarse.clear();
  std::vector<PairCouplings::Entry> entries;
  for (int c = 0; c < fine.count(); ++c) {
    entries.clear();
    double longest = 0;
    for (const auto& [row, direction] : fine.entries(c)) {
      const Vec3 free = filter && filter->is_filtered(row) ? Vec3(filter->free(row) * direction) : direction;
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

}  // namespace heddle
