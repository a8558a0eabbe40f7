#pragma once

#include <heddle/collision/surface.h>

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// The structure of a binary tree with one triangle (or segment of a rod) per leaf, in depth-first order: the
/// left child follows its parent, so children always come after parents and a refit is one loop backwards. A
/// node over n triangles and its descendants are the 2 n - 1 nodes from it on. Bodies are joined at the top
/// and never mixed below.
struct BvhTree {
  /// A run of nodes, which is a whole subtree.
  struct Part {
    int begin, end;
  };

  std::vector<int> links;               // right child, or the complement of the triangle of a leaf
  std::vector<float> sizes;             // extent in the reference positions, m
  std::vector<std::uint8_t> kinematic;  // nothing below moves freely
  std::vector<std::uint8_t> free;       // everything below does
  std::vector<int> leaf_triangles;      // in the order of the leaves
  std::vector<int> first_leaf;          // by node, position in leaf_triangles
  std::vector<Part> parts;              // small subtrees, fit for one task each, in order
  std::vector<int> top;                 // the nodes above them, in order

  int node_count() const { return static_cast<int>(links.size()); }
  bool is_leaf(int node) const { return links[static_cast<size_t>(node)] < 0; }
  int triangle(int leaf) const { return ~links[static_cast<size_t>(leaf)]; }
  int left(int node) const { return node + 1; }
  int right(int node) const { return links[static_cast<size_t>(node)]; }
  /// Triangles below a node.
  int leaf_count(int node) const;
};

/// Built from the top: the longest side of the box around the triangles' centres is cut (Thomaszewski
/// 2010, 2.4.1) in the middle quarter, where the fewest edges are cut: patches in one piece with short
/// contours can be skipped, and few triangles are neighbours across the cut.
BvhTree build_bvh_tree(const CollisionSurface& surface, std::span<const Vec3> reference);

}  // namespace heddle
