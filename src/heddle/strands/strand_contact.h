#pragma once

#include <heddle/strands/pair_search.h>

#include <span>
#include <vector>

namespace heddle {

/// An even obstacle, for nodes.
struct StrandPlane {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  double friction = 0.3;
};

enum class StrandFriction {
  published,  // of each correction anew, with weight 2^-iteration (Spillmann 2008, 6.1.5): creeps
  sticking,   // of the sum of all corrections of a step: what is within the cone does not move
};

struct StrandContactOptions {
  double tolerance = 1e-3;  // of the radius, overlap that is left
  int iterations = 200;     // of a zone
  int rounds = 30;          // searches for what corrections have brought together
  StrandFriction friction = StrandFriction::sticking;
};

/// Two segments that overlap, or a node and a plane.
struct StrandTouch {
  StrandPair segments{-1, -1};
  int node = -1, plane = -1;
  std::array<int, 4> ends{-1, -1, -1, -1};  // of both segments
  double thickness = 0;                     // m, sum of both radii
  double radius = 0;                        // m, the smaller one
  double friction = 0;
  double pushed = 0;                  // m, sum of corrections along the normal
  Vec3 dragged = Vec3::Zero();        // m, sum of corrections by friction
  std::array<double, 2> place{0, 0};  // on the segments, 0 to 1
};

struct StrandContactReport {
  int contacts = 0;    // that overlapped or came to
  int zones = 0;       // that did not hang together at the start
  int iterations = 0;  // of the zone with the most
  int rounds = 0;
  double first = 0;                                    // of the radius: mean overlap before
  double deepest_before = 0;                           // of the radius
  double deepest = 0;                                  // of the radius, that is left
  double detection_seconds = 0, response_seconds = 0;  // of the processor
};

/// Keeps strands apart by displacements that keep their momentum (Spillmann 2008, 6.1.3 to 6.1.5): zones of
/// contacts that share nodes, in each of them corrections (6.6) one after the other until all overlaps are
/// within the tolerance; zones that corrections bring together are joined.
class StrandContact {
 public:
  explicit StrandContact(StrandContactOptions options = {}, std::vector<StrandPlane> planes = {})
      : options_(options), planes_(std::move(planes)) {}

  /// Displaces nodes that have come from `before` (m). The caller changes velocities.
  StrandContactReport resolve(Strands& strands, std::span<const Vec3> before);
  /// Of the last call.
  std::span<const StrandTouch> touches() const { return touches_; }
  /// Depth of the deepest overlap now, of the radius, among pairs that are near; negative: a gap.
  double deepest(const Strands& strands);
  /// The same of some segments with all others and with planes, searched anew.
  double deepest_of(const Strands& strands, std::span<const int> segments) const;
  /// Pairs that are nearer to each other than a share of the radius, at most 1.
  int near_pairs(const Strands& strands, double share);
  StrandPairSearch& search() { return search_; }
  const StrandContactOptions& options() const { return options_; }

 private:
  void find_touches(const Strands& strands, bool first_round, StrandContactReport& report);
  void add_touch(size_t number, double depth, bool first_round, const StrandTouch& touch,
                 StrandContactReport& report);
  void add_travel(const Strands& strands);
  int sort_zones(const Strands& strands);
  double correct(Strands& strands, std::span<const Vec3> before, StrandTouch& touch, int iteration) const;
  double correct_plane(Strands& strands, std::span<const Vec3> before, StrandTouch& touch,
                       int iteration) const;
  double correct_pair(Strands& strands, std::span<const Vec3> before, StrandTouch& touch,
                      int iteration) const;
  Vec3 drag(StrandTouch& touch, const Vec3& slip, double depth, int iteration) const;

  StrandContactOptions options_;
  std::vector<StrandPlane> planes_;
  StrandPairSearch search_;
  std::vector<StrandTouch> touches_;
  std::vector<char> is_touch_;  // by pair, then by node and plane
  // How far any node can have come since the pairs were found, and before which way of that a pair cannot
  // touch: most pairs are never looked at.
  long searches_ = 0;
  double travel_ = 0;                    // m
  std::vector<double> clear_until_;      // m, by pair
  std::vector<Vec3> seen_;               // m, places of nodes when travel was added last
  std::vector<std::vector<int>> zones_;  // touches
};

}  // namespace heddle
