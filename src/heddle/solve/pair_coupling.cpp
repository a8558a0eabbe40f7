#include <heddle/solve/pair_coupling.h>

#include <heddle/core/memory.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle {

namespace {

constexpr int kChunk = 256;
/// Of particles that an element of the matrix has at most.
constexpr double kBlocks = 4;

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void PairCouplings::add_entry(int row, const Vec3& direction, std::vector<Entry>& entries) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.row == row; });
  if (found == entries.end())
    entries.push_back({row, direction});
  else
    found->direction += direction;
}

void PairCouplings::clear() {
  strength_.clear();
  start_.assign(1, 0);
  entries_.clear();
  reach_.clear();
}

void PairCouplings::append(std::span<const Entry> entries, double strength) {
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  start_.push_back(static_cast<int>(entries_.size()));
  strength_.push_back(strength);
  double reach = 0;
  for (const Entry& entry : entries) reach += entry.direction.norm();
  reach_.push_back(reach);
}

void PairCouplings::assign(std::span<const PairCoupling> couplings, int row_count) {
  clear();
  std::vector<Entry> entries;
  for (const PairCoupling& coupling : couplings) {
    entries.clear();
    for (size_t i = 0; i < 4; ++i)
      if (coupling.direction[i] != Vec3::Zero()) add_entry(coupling.rows[i], coupling.direction[i], entries);
    append(entries, coupling.strength);
  }
  finish(row_count);
}

void PairCouplings::finish(int row_count) {
  tension_.resize(strength_.size());
  rows_.clear();
  row_start_.assign(1, 0);
  uses_.resize(entries_.size());
  if (empty()) return;
  std::vector<int>& next = counts_;
  next.assign(at(row_count) + 1, 0);
  for (const Entry& entry : entries_) ++next[at(entry.row) + 1];
  for (int row = 0; row < row_count; ++row) {
    const bool is_used = next[at(row) + 1] > 0;
    next[at(row) + 1] += next[at(row)];
    if (!is_used) continue;
    rows_.push_back(row);
    row_start_.push_back(next[at(row) + 1]);
  }
  for (int c = 0; c < count(); ++c)
    for (int e = start_[at(c)]; e < start_[at(c) + 1]; ++e)
      uses_[at(next[at(entries_[at(e)].row)]++)] = {c, e};
}

Mat3 PairCouplings::diagonal(int k) const {
  Mat3 sum = Mat3::Zero();
  for (int u = row_start_[at(k)]; u < row_start_[at(k) + 1]; ++u) {
    const Use& use = uses_[at(u)];
    const Vec3& a = entries_[at(use.entry)].direction;
    const double length = a.norm();
    const double scale = std::max(1.0, reach_[at(use.coupling)] / (kBlocks * length));
    sum += scale * strength_[at(use.coupling)] * a * a.transpose();
  }
  return sum;
}

double PairCouplings::add_product(std::span<const Vec3> x, double scale, std::span<Vec3> y) {
  const double form = ordered_sum(count(), 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int c = begin; c < end; ++c) {
      double length = 0;
      for (const Entry& entry : entries(c)) length += entry.direction.dot(x[at(entry.row)]);
      tension_[at(c)] = strength_[at(c)] * length;
      sum += strength_[at(c)] * length * length;
    }
    return sum;
  });
  parallel_for(
      static_cast<int>(rows_.size()),
      [&](int k) {
        Vec3 sum = Vec3::Zero();
        for (int u = row_start_[at(k)]; u < row_start_[at(k) + 1]; ++u)
          sum += tension_[at(uses_[at(u)].coupling)] * entries_[at(uses_[at(u)].entry)].direction;
        y[at(rows_[at(k)])] += scale * sum;
      },
      kChunk);
  return form;
}

size_t PairCouplings::bytes() const {
  return bytes_of(strength_, start_, entries_, reach_, tension_, rows_, row_start_, uses_, counts_, partial_);
}

}  // namespace heddle
