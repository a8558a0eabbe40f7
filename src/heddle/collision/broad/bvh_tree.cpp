#include <heddle/collision/broad/bvh_tree.h>
#include <heddle/core/check.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

namespace heddle {

namespace {

/// Triangles in a part that one task refits.
constexpr int kPartSize = 512;

size_t at(int i) {
  return static_cast<size_t>(i);
}

class Builder {
 public:
  Builder(const CollisionSurface& surface, std::span<const Vec3> reference, BvhTree& tree)
      : surface_(surface), reference_(reference), tree_(tree) {
    HEDDLE_CHECK_EQ(at(surface.vertex_count), reference.size());
    centres_.reserve(at(surface.leaf_count()));
    for (int leaf = 0; leaf < surface.leaf_count(); ++leaf) {
      const auto [a, b, c] = surface.corners(leaf);
      centres_.push_back((reference[at(a)] + reference[at(b)] + reference[at(c)]) / 3.0);
    }
    order_.resize(at(surface.leaf_count()));
    std::iota(order_.begin(), order_.end(), 0);
    keys_.resize(order_.size());
    place_ = order_;
  }

  void run() {
    std::vector<int> bodies;
    for (int body = 0; body < static_cast<int>(surface_.bodies.size()); ++body)
      if (leaves_of(body).count > 0) bodies.push_back(body);
    if (bodies.empty()) return;
    tree_.links.reserve(2 * centres_.size() - 1);
    join(bodies);
    measure();
  }

 private:
  using Box = Eigen::AlignedBox3d;

  static int longest_axis(const Box& box) {
    int axis = 0;
    box.sizes().maxCoeff(&axis);
    return axis;
  }

  int add_node() {
    tree_.links.push_back(0);
    tree_.first_leaf.push_back(static_cast<int>(tree_.leaf_triangles.size()));
    return tree_.node_count() - 1;
  }

  struct Leaves {
    int first, count;
  };
  /// Triangles or segments.
  Leaves leaves_of(int body) const {
    const CollisionBodyRange& range = surface_.bodies[at(body)];
    if (range.triangle_count > 0) return {range.first_triangle, range.triangle_count};
    return {surface_.triangle_count() + range.first_segment, range.segment_count};
  }

  Vec3 body_centre(int body) const {
    const Leaves leaves = leaves_of(body);
    Box box;
    for (int i = 0; i < leaves.count; ++i) box.extend(centres_[at(leaves.first + i)]);
    return box.center();
  }

  /// Halves the list of bodies along its longest side until one is left.
  void join(std::span<int> bodies) {
    if (bodies.size() == 1) {
      const Leaves leaves = leaves_of(bodies[0]);
      return split(leaves.first, leaves.first + leaves.count);
    }
    const int node = add_node();
    Box box;
    for (const int body : bodies) box.extend(body_centre(body));
    const int axis = longest_axis(box);
    std::ranges::sort(bodies, {}, [&](int b) { return std::pair(body_centre(b)[axis], b); });
    join(bodies.first(bodies.size() / 2));
    tree_.links[at(node)] = tree_.node_count();
    join(bodies.subspan(bodies.size() / 2));
  }

  void split(int begin, int end) {
    const int node = add_node();
    if (end - begin == 1) {
      tree_.links[at(node)] = ~order_[at(begin)];
      tree_.leaf_triangles.push_back(order_[at(begin)]);
      return;
    }
    const int middle = partition(begin, end);
    split(begin, middle);
    tree_.links[at(node)] = tree_.node_count();
    split(middle, end);
  }

  /// Sorts the run along its longest side and cuts it where, near the middle, the fewest edges are cut.
  int partition(int begin, int end) {
    Box box;
    for (int i = begin; i < end; ++i) box.extend(centres_[at(order_[at(i)])]);
    const int axis = longest_axis(box);
    for (int i = begin; i < end; ++i) keys_[at(i)] = {centres_[at(order_[at(i)])][axis], order_[at(i)]};
    std::sort(keys_.begin() + begin, keys_.begin() + end);
    for (int i = begin; i < end; ++i) {
      order_[at(i)] = keys_[at(i)].second;
      place_[at(order_[at(i)])] = i;
    }
    return best_cut(begin, end);
  }

  int best_cut(int begin, int end) const {
    const int count = end - begin, middle = begin + count / 2;
    const int reach = count / 8;
    int cut_edges = 0, best = middle, fewest = std::numeric_limits<int>::max();
    for (int i = begin; i < middle + reach; ++i) {
      for (const int neighbour : surface_.neighbours[at(order_[at(i)])]) {
        if (neighbour == kNoFace || place_[at(neighbour)] < begin || place_[at(neighbour)] >= end) continue;
        cut_edges += place_[at(neighbour)] > i ? 1 : -1;
      }
      const int cut = i + 1;
      const bool nearer = std::abs(cut - middle) < std::abs(best - middle);
      if (cut < middle - reach || cut_edges > fewest || (cut_edges == fewest && !nearer)) continue;
      best = cut;
      fewest = cut_edges;
    }
    return best;
  }

  /// Sizes and flags from the leaves up, then the parts from the top down.
  void measure() {
    const int count = tree_.node_count();
    tree_.sizes.resize(at(count));
    tree_.kinematic.resize(at(count));
    tree_.free.resize(at(count));
    std::vector<Box> boxes(at(count));
    for (int node = count - 1; node >= 0; --node) {
      if (tree_.is_leaf(node)) {
        for (const int v : surface_.corners(tree_.triangle(node))) boxes[at(node)].extend(reference_[at(v)]);
        tree_.kinematic[at(node)] = surface_.kinematic(tree_.triangle(node));
        tree_.free[at(node)] = !tree_.kinematic[at(node)];
      } else {
        const int left = tree_.left(node), right = tree_.right(node);
        boxes[at(node)] = boxes[at(left)].merged(boxes[at(right)]);
        tree_.kinematic[at(node)] = tree_.kinematic[at(left)] & tree_.kinematic[at(right)];
        tree_.free[at(node)] = tree_.free[at(left)] & tree_.free[at(right)];
      }
      tree_.sizes[at(node)] = static_cast<float>(boxes[at(node)].sizes().sum());
    }
    cut_parts(0, (count + 1) / 2);
  }

  void cut_parts(int node, int leaves) {
    if (leaves <= kPartSize) return tree_.parts.push_back({node, node + 2 * leaves - 1});
    tree_.top.push_back(node);
    const int left_leaves = (tree_.right(node) - node) / 2;
    cut_parts(tree_.left(node), left_leaves);
    cut_parts(tree_.right(node), leaves - left_leaves);
  }

  const CollisionSurface& surface_;
  std::span<const Vec3> reference_;
  BvhTree& tree_;
  std::vector<Vec3> centres_;
  std::vector<int> order_;
  std::vector<int> place_;  // by triangle, where it is in order_
  std::vector<std::pair<double, int>> keys_;
};

}  // namespace

int BvhTree::leaf_count(int node) const {
  int last = node;
  while (!is_leaf(last)) last = right(last);
  return first_leaf[at(last)] + 1 - first_leaf[at(node)];
}

BvhTree build_bvh_tree(const CollisionSurface& surface, std::span<const Vec3> reference) {
  BvhTree tree;
  Builder(surface, reference, tree).run();
  return tree;
}

}  // namespace heddle
