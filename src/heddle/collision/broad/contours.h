#pragma once

#include <heddle/collision/broad/bvh_tree.h>
#include <heddle/geometry/normal_cone.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// Bounds of a moving piece of contour, seen along the normals, in eight directions of the plane.
struct Swath {
  std::array<float, 8> low, high;
};

/// Memory of one contour test, kept by the caller.
struct ContourScratch {
  std::vector<Vec2> begin, end;  // m, about the moving centre
  std::vector<Swath> vertices, edges, blocks;
};

/// The contours of the patches below the nodes of a tree, and the test that a patch cannot touch itself.
///
/// A patch has no two primitives without a common vertex nearer than d, at any moment of the step, if
///  1. all normals have a positive product with one axis (normal cone below a half space),
///  2. seen along the axis its contour is one loop whose edges, unless they are neighbours, stay d apart,
///     and neighbours do not fold back outside to less than d,
///  3. seen along the axis no triangle is lower than d; (cosine of the cone) * (lowest altitude) bounds that.
/// By 1 and 2 each point of the view is covered at most once (the number of layers is the winding number of
/// the contour), so a straight way from a vertex to a strange triangle crosses its ring (3) or the contour
/// (2). 1 alone misses concave patches that close up in their plane (Eurographics 2002 tutorial, 3.5).
class Contours {
 public:
  Contours() = default;
  Contours(const CollisionSurface& surface, const BvhTree& tree);

  /// Vertices of the contour below a node, the patch on their left; empty if it is not one loop, or if the
  /// patch is too small to be worth the test.
  std::span<const int> operator[](int node) const {
    const auto i = static_cast<size_t>(node);
    return std::span(vertices_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

  /// Is the patch below the node proven to stay `distance` (m) away from itself? A no means nothing.
  bool keeps_apart(int node, const NormalCone& cone, double distance, std::span<const Vec3> begin,
                   std::span<const Vec3> end, ContourScratch& scratch) const;

 private:
  std::vector<size_t> offsets_;
  std::vector<int> vertices_;
};

}  // namespace heddle
