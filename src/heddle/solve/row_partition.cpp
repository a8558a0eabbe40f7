#include <heddle/solve/row_partition.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Rows that blocks of either kind connect.
class Neighbours {
 public:
  explicit Neighbours(const MatrixPattern& pattern)
      : general_(mirrored(pattern.general)), isotropic_(mirrored(pattern.isotropic)) {}
  template <class Visit>
  void of(int row, const Visit& visit) const {
    for (const BlockPattern* blocks : {&general_, &isotropic_})
      for (int k = blocks->row_start[at(row)]; k < blocks->row_start[at(row) + 1]; ++k)
        visit(blocks->columns[at(k)]);
  }

 private:
  BlockPattern general_, isotropic_;
};

class Halving {
 public:
  Halving(const MatrixPattern& pattern, RowPartition& out)
      : neighbours_(pattern), out_(out), reached_(at(pattern.row_count())) {}

  /// Rows [begin, end) of out.rows, which all belong to one part.
  void halve(int begin, int end, int parts) {
    if (parts < 2) {
      std::sort(out_.rows.begin() + begin, out_.rows.begin() + end);
      for (int k = begin; k < end; ++k) out_.owner[at(out_.rows[at(k)])] = out_.count();
      out_.start.push_back(end);
      return;
    }
    sort_by_distance(begin, end);
    std::swap(out_.rows[at(begin)], out_.rows[at(end) - 1]);  // from one rim to the other
    sort_by_distance(begin, end);
    const int left = parts / 2;
    const int middle = begin + static_cast<int>(static_cast<long>(end - begin) * left / parts);
    ++marks_;
    for (int k = middle; k < end; ++k) out_.owner[at(out_.rows[at(k)])] = marks_;
    halve(begin, middle, left);
    halve(middle, end, parts - left);
  }

 private:
  /// Breadth first from the first of them; rows that cannot be reached follow in the same way.
  void sort_by_distance(int begin, int end) {
    const int owner = out_.owner[at(out_.rows[at(begin)])];
    const std::vector<int> before(out_.rows.begin() + begin, out_.rows.begin() + end);
    int next = begin, last = begin;
    ++round_;
    const auto reach = [&](int row) {
      if (out_.owner[at(row)] != owner || reached_[at(row)] == round_) return;
      reached_[at(row)] = round_;
      out_.rows[at(last++)] = row;
    };
    for (const int first : before) {
      reach(first);
      for (; next < last; ++next) neighbours_.of(out_.rows[at(next)], reach);
    }
  }

  Neighbours neighbours_;
  RowPartition& out_;
  std::vector<int> reached_;         // per row: the last round that came there
  int round_ = 0, marks_ = 1 << 30;  // of parts without a number yet
};

}  // namespace

RowPartition partition_rows(const MatrixPattern& pattern, int most) {
  const int n = pattern.row_count();
  RowPartition out;
  out.owner.assign(at(n), -1);
  for (int row = 0; row < n; ++row) out.rows.push_back(row);
  if (n > 0) Halving(pattern, out).halve(0, n, 1 + (n - 1) / most);
  return out;
}

double cut_share(const MatrixPattern& pattern, const RowPartition& partition) {
  const Neighbours neighbours(pattern);
  long cut = 0, all = 0;
  for (int row = 0; row < pattern.row_count(); ++row)
    neighbours.of(row, [&](int other) {
      ++all;
      cut += partition.owner[at(row)] != partition.owner[at(other)];
    });
  return all > 0 ? static_cast<double>(cut) / static_cast<double>(all) : 0;
}

}  // namespace heddle
