#include <heddle/strands/pair_search.h>

#include <heddle/geometry/proximity.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Half a turn about a bend of no inner radius, with some room.
constexpr double kHalfTurn = 1.05 * std::numbers::pi;
/// Of the largest radius, that pairs may be apart and are kept for later.
constexpr double kRoom = 1.0;

double distance_of(const Strands& strands, const StrandSegment& a, const StrandSegment& b) {
  const auto x = [&](int i) -> const Vec3& { return strands.nodes[at(i)].x; };
  return edge_edge_proximity({x(a.ends[0]), x(a.ends[1]), x(b.ends[0]), x(b.ends[1])}).distance;
}

}  // namespace

StrandWays::StrandWays(const Strands& strands) : first_(strands.nodes.size() + 1, 0) {
  for (const StrandSegment& s : strands.segments)
    for (const int end : s.ends) ++first_[at(end) + 1];
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  in_.resize(2 * strands.segments.size());
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (int s = 0; s < strands.segment_count(); ++s)
    for (const int end : strands.segments[at(s)].ends) in_[at(next[at(end)]++)] = s;
}

std::vector<int> StrandWays::near_along(const Strands& strands, int segment) const {
  const double limit = kHalfTurn * strands.radius(segment);
  std::vector<int> near{segment};
  std::vector<std::pair<double, int>> open;
  for (const int end : strands.segments[at(segment)].ends) open.emplace_back(0, end);
  while (!open.empty()) {
    const auto [way, node] = open.back();
    open.pop_back();
    for (int k = first_[at(node)]; k < first_[at(node) + 1]; ++k) {
      const int next = in_[at(k)];
      if (std::find(near.begin(), near.end(), next) != near.end()) continue;
      near.push_back(next);
      const StrandSegment& s = strands.segments[at(next)];
      if (way + s.length < limit)
        open.emplace_back(way + s.length, s.ends[0] == node ? s.ends[1] : s.ends[0]);
    }
  }
  return near;
}

bool StrandPairSearch::update(const Strands& strands) {
  if (is_fresh(strands)) return false;
  search(strands);
  ++searches_;
  return true;
}

bool StrandPairSearch::is_fresh(const Strands& strands) const {
  if (places_.size() != strands.nodes.size() || segment_count_ != strands.segments.size()) return false;
  const double most = 0.25 * room_ * room_;
  for (size_t i = 0; i < places_.size(); ++i)
    if ((strands.nodes[i].x - places_[i]).squaredNorm() > most) return false;
  return true;
}

void StrandPairSearch::search(const Strands& strands) {
  places_.clear();
  double thickest = 0;
  for (const StrandNode& node : strands.nodes) {
    places_.push_back(node.x);
    thickest = std::max(thickest, node.radius);
  }
  room_ = kRoom * thickest;
  segment_count_ = strands.segments.size();
  ways_ = StrandWays(strands);
  fill_cells(strands);
  pairs_.clear();
  for (int s = 0; s < strands.segment_count(); ++s) pair_up(strands, s);
}

std::array<int, 3> StrandPairSearch::cell_of(const Vec3& x) const {
  return {static_cast<int>(std::floor(x[0] / cell_)), static_cast<int>(std::floor(x[1] / cell_)),
          static_cast<int>(std::floor(x[2] / cell_))};
}

size_t StrandPairSearch::slot_of(const std::array<int, 3>& cell) const {
  const auto [x, y, z] = cell;
  const std::uint64_t mixed = static_cast<std::uint64_t>(x) * 73856093u ^
                              static_cast<std::uint64_t>(y) * 19349663u ^
                              static_cast<std::uint64_t>(z) * 83492791u;
  return static_cast<size_t>(mixed & (first_in_slot_.size() - 2));
}

/// Segments by the cell of their middle: cells are as large as two of them reach, so that 27 are looked at.
/// A grid of its own, because strands change their number in most searches, which trees over fixed surfaces
/// are not made for.
void StrandPairSearch::fill_cells(const Strands& strands) {
  middle_.clear();
  reach_.clear();
  cell_ = 0;
  for (int s = 0; s < strands.segment_count(); ++s) {
    const auto& [a, b] = strands.segments[at(s)].ends;
    const Vec3 &x = strands.nodes[at(a)].x, &y = strands.nodes[at(b)].x;
    middle_.push_back(0.5 * (x + y));
    reach_.push_back(0.5 * (y - x).norm() + strands.radius(s));
    cell_ = std::max(cell_, 2 * reach_.back() + room_);
  }
  const size_t slots = std::bit_ceil(2 * middle_.size() + 1);
  first_in_slot_.assign(slots + 1, 0);
  for (const Vec3& x : middle_) ++first_in_slot_[slot_of(cell_of(x)) + 1];
  for (size_t k = 1; k <= slots; ++k) first_in_slot_[k] += first_in_slot_[k - 1];
  in_slot_.resize(middle_.size());
  std::vector<int> next(first_in_slot_.begin(), first_in_slot_.end() - 1);
  for (size_t s = 0; s < middle_.size(); ++s)
    in_slot_[at(next[slot_of(cell_of(middle_[s]))]++)] = static_cast<int>(s);
}

void StrandPairSearch::pair_up(const Strands& strands, int segment) {
  const auto [x, y, z] = cell_of(middle_[at(segment)]);
  const StrandSegment& own = strands.segments[at(segment)];
  const std::vector<int> along = ways_.near_along(strands, segment);
  std::array<size_t, 27> seen{};
  size_t count = 0;
  for (int k = 0; k < 27; ++k) {
    const size_t slot = slot_of({x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1});
    const auto end = seen.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(seen.begin(), end, slot) != end) continue;
    seen[count++] = slot;
    for (int i = first_in_slot_[slot]; i < first_in_slot_[slot + 1]; ++i) {
      const int other = in_slot_[at(i)];
      if (other <= segment) continue;
      const double most = reach_[at(segment)] + reach_[at(other)] + room_;
      if ((middle_[at(other)] - middle_[at(segment)]).squaredNorm() > most * most) continue;
      if (std::find(along.begin(), along.end(), other) != along.end()) continue;
      const double near = strands.radius(segment) + strands.radius(other) + room_;
      if (distance_of(strands, own, strands.segments[at(other)]) < near) pairs_.push_back({segment, other});
    }
  }
}

}  // namespace heddle
