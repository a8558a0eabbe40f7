#pragma once

#include <heddle/collision/broad/bvh_tree.h>

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// The contours of the patches below the nodes of a tree.
class Contours {
 public:
  Contours() = default;
  Contours(const CollisionSurface& surface, const BvhTree& tree);

  /// Vertices of the contour below a node, the patch on their left; empty if it is not one loop without
  /// repeated vertices, or if the patch is too small to be worth a test.
  std::span<const int> operator[](int node) const {
    const auto i = static_cast<size_t>(node);
    return std::span(vertices_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

 private:
  std::vector<size_t> offsets_;
  std::vector<int> vertices_;
};

/// Joins contours of patches that share edges. Keeps its memory.
class LoopJoiner {
 public:
  /// The contour of two patches without common triangles; empty if they share no edge, or if together they do
  /// not have one loop without repeated vertices. Valid until the next call.
  std::span<const int> join(std::span<const int> a, std::span<const int> b, int vertex_count);
  /// Did the last two share an edge?
  bool shared_edges() const { return shared_ > 0; }

 private:
  static constexpr int kNone = -1;
  struct Mark {
    std::int64_t stamp = 0;  // of the join that set it
    int next = kNone;
  };

  void mark(std::span<const int> loop);
  std::span<const int> walk(size_t length, std::span<const int> a, std::span<const int> b);

  std::int64_t stamp_ = 0;
  size_t shared_ = 0;
  std::vector<Mark> marks_;  // by vertex
  std::vector<char> own_;    // by edge of b: not shared with a
  std::vector<int> joined_;
};

}  // namespace heddle
