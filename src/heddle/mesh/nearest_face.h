#pragma once

#include <heddle/geometry/proximity.h>

#include <span>
#include <vector>

namespace heddle {

/// Finds the nearest of some triangles for any point: a tree of boxes, in logarithmic time for points near
/// the surface.
class NearestFace {
 public:
  /// Takes the triangles with these indices (at least one) at these positions, m; both must outlive this.
  NearestFace(std::span<const Vec3> positions, std::span<const Triangle> triangles, std::vector<int> faces);

  struct Found {
    int triangle = -1;
    Proximity proximity;  // of the point to the triangle
  };
  Found find(const Vec3& point) const;

 private:
  struct Node {
    Vec3 low, high;
    int first = 0, last = 0;  // of faces_
    int right = -1;           // second child, the first follows; -1 for a leaf
  };
  void build(int first, int last);
  void search(size_t node, const Vec3& point, Found& best) const;
  Vec3 centre(int face) const;

  std::span<const Vec3> positions_;
  std::span<const Triangle> triangles_;
  std::vector<int> faces_;
  std::vector<Node> nodes_;
};

}  // namespace heddle
