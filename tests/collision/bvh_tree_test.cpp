#include "test_meshes.h"

#include <heddle/collision/broad/bvh_tree.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace heddle {
namespace {

int depth(const BvhTree& tree, int node) {
  return tree.is_leaf(node) ? 1 : 1 + std::max(depth(tree, tree.left(node)), depth(tree, tree.right(node)));
}

TEST(BvhTree, HasOneTrianglePerLeafAndIsShallow) {
  const CollisionCase c = crumpled_case(50, 3, 0.4, 0.0);
  const BvhTree tree = build_bvh_tree(c.surface, c.begin);
  const int n = c.surface.triangle_count();
  EXPECT_EQ(tree.node_count(), 2 * n - 1);
  std::vector<int> triangles = tree.leaf_triangles, all(static_cast<size_t>(n));
  std::ranges::sort(triangles);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(triangles, all);
  EXPECT_LE(depth(tree, 0), 1.5 * std::log2(n));
  EXPECT_EQ(tree.leaf_count(0), n);
}

TEST(BvhTree, PartsAndTopCoverEveryNodeOnce) {
  const CollisionCase c = flat_case(60);
  const BvhTree tree = build_bvh_tree(c.surface, c.reference);
  std::vector<int> covered(static_cast<size_t>(tree.node_count()), 0);
  for (const auto& part : tree.parts)
    for (int node = part.begin; node < part.end; ++node) ++covered[static_cast<size_t>(node)];
  for (const int node : tree.top) ++covered[static_cast<size_t>(node)];
  EXPECT_EQ(std::ranges::count(covered, 1), tree.node_count());
  EXPECT_GT(tree.parts.size(), 4u);
}

TEST(BvhTree, NeverMixesBodiesBelowTheTop) {
  for (const CollisionCase& c : collision_cases()) {
    const BvhTree tree = build_bvh_tree(c.surface, c.reference);
    for (int node = 0; node < tree.node_count(); ++node) {
      const auto first = tree.leaf_triangles.begin() + tree.first_leaf[static_cast<size_t>(node)];
      const auto body = [&](int t) { return c.surface.triangle_body[static_cast<size_t>(t)]; };
      const int leaves = tree.leaf_count(node);
      const bool mixed = std::any_of(first, first + leaves, [&](int t) { return body(t) != body(*first); });
      const bool whole = leaves >= c.surface.bodies[static_cast<size_t>(body(*first))].triangle_count;
      EXPECT_TRUE(!mixed || whole) << c.name;
      const bool kinematic =
          std::all_of(first, first + leaves, [&](int t) { return c.surface.kinematic(t); });
      EXPECT_EQ(tree.kinematic[static_cast<size_t>(node)] != 0, kinematic) << c.name;
    }
  }
}

TEST(BvhTree, BuildsSeveralThousandTrianglesInLessThanASecond) {
  const CollisionCase c = flat_case(60);
  const auto start = std::chrono::steady_clock::now();
  build_bvh_tree(c.surface, c.reference);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1.0);
}

}  // namespace
}  // namespace heddle
