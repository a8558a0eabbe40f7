#pragma once

#include <heddle/strands/strands.h>

#include <array>
#include <vector>

namespace heddle {

using StrandPair = std::array<int, 2>;

/// Which segments are so near to a segment along the strand that they cannot be kept apart: within half a
/// turn about themselves.
class StrandWays {
 public:
  StrandWays() = default;
  explicit StrandWays(const Strands& strands);
  std::vector<int> near_along(const Strands& strands, int segment) const;

 private:
  // Segments at node i are in_[first_[i]] to in_[first_[i + 1]].
  std::vector<int> first_, in_;
};

/// Pairs of segments that may touch. They are found with room to spare and kept until something has moved
/// through half of that, or strands were refined; so a search is rare. Segments that follow each other along
/// a rod nearer than half a turn about themselves are not paired.
class StrandPairSearch {
 public:
  /// Pairs nearer than the sum of their radii now, and others. True if it searched anew.
  bool update(const Strands& strands);
  /// Strands are not the same any more.
  void forget() { places_.clear(); }
  const std::vector<StrandPair>& pairs() const { return pairs_; }
  long searches() const { return searches_; }

 private:
  bool is_fresh(const Strands& strands) const;
  void search(const Strands& strands);
  void fill_cells(const Strands& strands);
  void pair_up(const Strands& strands, int segment);
  std::array<int, 3> cell_of(const Vec3& x) const;
  size_t slot_of(const std::array<int, 3>& cell) const;

  std::vector<Vec3> places_;  // of nodes when it was searched
  std::vector<StrandPair> pairs_;
  long searches_ = 0;
  double room_ = 0, cell_ = 0;  // m
  std::vector<Vec3> middle_;
  std::vector<double> reach_;  // m, half length and radius of segments
  std::vector<int> first_in_slot_, in_slot_;
  StrandWays ways_;
  size_t segment_count_ = 0;
};

}  // namespace heddle
