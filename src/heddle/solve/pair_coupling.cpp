#include <heddle/solve/pair_coupling.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

constexpr int kChunk = 256;

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void PairCouplings::assign(std::span<const PairCoupling> couplings, int row_count) {
  couplings_.assign(couplings.begin(), couplings.end());
  tension_.resize(couplings_.size());
  rows_.clear();
  row_start_.assign(1, 0);
  uses_.clear();
  if (couplings_.empty()) return;
  std::vector<int> start(at(row_count) + 1, 0);
  for (const PairCoupling& coupling : couplings_)
    for (const int row : coupling.rows) ++start[at(row) + 1];
  for (int row = 0; row < row_count; ++row) start[at(row) + 1] += start[at(row)];
  uses_.resize(at(start.back()));
  for (int row = 0; row < row_count; ++row) {
    if (start[at(row)] == start[at(row) + 1]) continue;
    rows_.push_back(row);
    row_start_.push_back(start[at(row) + 1]);
  }
  for (int c = 0; c < static_cast<int>(couplings_.size()); ++c)
    for (int i = 0; i < 4; ++i) uses_[at(start[at(couplings_[at(c)].rows[at(i)])]++)] = {c, i};
}

Mat3 PairCouplings::diagonal(int k) const {
  Mat3 sum = Mat3::Zero();
  for (int u = row_start_[at(k)]; u < row_start_[at(k) + 1]; ++u) {
    const PairCoupling& coupling = couplings_[at(uses_[at(u)].coupling)];
    const Vec3& a = coupling.direction[at(uses_[at(u)].place)];
    sum += coupling.strength * a * a.transpose();
  }
  return sum;
}

double PairCouplings::add_product(std::span<const Vec3> x, double scale, std::span<Vec3> y) {
  const double form =
      ordered_sum(static_cast<int>(couplings_.size()), 0.0, partial_, [&](int begin, int end) {
        double sum = 0;
        for (int c = begin; c < end; ++c) {
          const PairCoupling& coupling = couplings_[at(c)];
          const double length = coupling.length(x);
          tension_[at(c)] = coupling.strength * length;
          sum += coupling.strength * length * length;
        }
        return sum;
      });
  parallel_for(
      static_cast<int>(rows_.size()),
      [&](int k) {
        Vec3 sum = Vec3::Zero();
        for (int u = row_start_[at(k)]; u < row_start_[at(k) + 1]; ++u) {
          const Use& use = uses_[at(u)];
          sum += tension_[at(use.coupling)] * couplings_[at(use.coupling)].direction[at(use.place)];
        }
        y[at(rows_[at(k)])] += scale * sum;
      },
      kChunk);
  return form;
}

}  // namespace heddle
