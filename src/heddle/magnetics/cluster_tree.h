#pragma once

#include <heddle/math/types.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// What a tree of clusters knows of a body: a ball that holds it, and how many dipoles it has.
struct ClusterItem {
  Vec3 centre = Vec3::Zero();  // m
  double radius = 0;           // m
  int weight = 1;
};

/// Bodies near each other, in a ball. Children follow their parent; the second one begins at `second`.
struct Cluster {
  Vec3 centre = Vec3::Zero();  // m
  double radius = 0;           // m
  int first = 0, last = 0;     // of ClusterTree::order()
  int weight = 0;              // sum of the bodies'
  int second = -1;             // -1 for a cluster without children
  int parent = -1;

  bool is_leaf() const { return second < 0; }
};

/// Pairs of clusters that together cover each pair of bodies once: some so far apart that expansions tell
/// what they do to each other, all others near. A cluster may be near itself.
struct ClusterPairs {
  std::vector<std::array<int, 2>> near, far;
};

/// When expansions are used.
struct FarRule {
  double separation = 0.5;  // largest sum of radii by distance of centres
  int least_work = 500;     // pairs of dipoles below which they are not worth it
};

/// Bodies sorted into balls by bisection.
class ClusterTree {
 public:
  /// Clusters of more than one body are split as long as they weigh more than `leaf_weight`.
  ClusterTree(std::span<const ClusterItem> items, int leaf_weight);

  std::span<const Cluster> clusters() const { return clusters_; }
  std::span<const int> order() const { return order_; }  // bodies, those of a cluster next to each other
  std::span<const int> items_of(int cluster) const;
  ClusterPairs pairs(const FarRule& rule) const;
  /// All pairs of clusters without children.
  ClusterPairs all_near() const;

 private:
  void build(int first, int last, int parent, int leaf_weight);
  void visit(int a, int b, const FarRule& rule, ClusterPairs& pairs) const;

  std::span<const ClusterItem> items_;
  std::vector<int> order_;
  std::vector<Cluster> clusters_;
};

}  // namespace heddle
