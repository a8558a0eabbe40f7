#include <heddle/magnetics/cluster_tree.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

ClusterTree::ClusterTree(std::span<const ClusterItem> items, int leaf_weight)
    : items_(items), order_(items.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (!items.empty()) build(0, static_cast<int>(items.size()), -1, leaf_weight);
  items_ = {};
}

std::span<const int> ClusterTree::items_of(int cluster) const {
  const Cluster& c = clusters_[at(cluster)];
  return std::span(order_).subspan(at(c.first), at(c.last - c.first));
}

void ClusterTree::build(int first, int last, int parent, int leaf_weight) {
  const auto own = static_cast<int>(clusters_.size());
  Vec3 low = items_[at(order_[at(first)])].centre, high = low;
  Cluster cluster;
  for (int k = first; k < last; ++k) {
    const ClusterItem& item = items_[at(order_[at(k)])];
    low = low.cwiseMin(item.centre);
    high = high.cwiseMax(item.centre);
    cluster.weight += item.weight;
  }
  cluster.centre = 0.5 * (low + high);
  for (int k = first; k < last; ++k) {
    const ClusterItem& item = items_[at(order_[at(k)])];
    cluster.radius = std::max(cluster.radius, (item.centre - cluster.centre).norm() + item.radius);
  }
  cluster.first = first, cluster.last = last, cluster.parent = parent;
  clusters_.push_back(cluster);
  if (last - first == 1 || cluster.weight <= leaf_weight) return;
  int axis = 0;
  (high - low).maxCoeff(&axis);
  const int middle = (first + last) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last, [&](int a, int b) {
    return std::pair(items_[at(a)].centre[axis], a) < std::pair(items_[at(b)].centre[axis], b);
  });
  build(first, middle, own, leaf_weight);
  clusters_[at(own)].second = static_cast<int>(clusters_.size());
  build(middle, last, own, leaf_weight);
}

void ClusterTree::visit(int a, int b, const FarRule& rule, ClusterPairs& pairs) const {
  const Cluster &first = clusters_[at(a)], &second = clusters_[at(b)];
  if (a == b) {
    if (first.is_leaf()) return pairs.near.push_back({a, a});
    visit(a + 1, a + 1, rule, pairs);
    visit(a + 1, first.second, rule, pairs);
    visit(first.second, first.second, rule, pairs);
    return;
  }
  const double distance = (first.centre - second.centre).norm();
  if (first.radius + second.radius <= rule.separation * distance) {
    const bool is_worth = std::int64_t{first.weight} * second.weight >= rule.least_work;
    (is_worth ? pairs.far : pairs.near).push_back({a, b});
    return;
  }
  if (first.is_leaf() && second.is_leaf()) return pairs.near.push_back({a, b});
  if (second.is_leaf() || (!first.is_leaf() && first.radius >= second.radius)) {
    visit(a + 1, b, rule, pairs);
    visit(first.second, b, rule, pairs);
  } else {
    visit(a, b + 1, rule, pairs);
    visit(a, second.second, rule, pairs);
  }
}

ClusterPairs ClusterTree::pairs(const FarRule& rule) const {
  ClusterPairs pairs;
  if (!clusters_.empty()) visit(0, 0, rule, pairs);
  return pairs;
}

ClusterPairs ClusterTree::all_near() const {
  ClusterPairs pairs;
  const auto count = static_cast<int>(clusters_.size());
  for (int a = 0; a < count; ++a)
    for (int b = a; b < count; ++b)
      if (clusters_[at(a)].is_leaf() && clusters_[at(b)].is_leaf()) pairs.near.push_back({a, b});
  return pairs;
}

}  // namespace heddle
