#pragma once

#include <heddle/core/check.h>
#include <heddle/geometry/kdop.h>
#include <heddle/mesh/topology.h>
#include <heddle/parallel/parallel.h>

#include <cmath>
#include <span>
#include <vector>

namespace heddle {

/// Volumes of the vertices' motions. Volumes of edges and triangles are merged from them: a moving triangle
/// stays in the convex hull of the moving balls at its corners.
template <int K>
class VertexBounds {
 public:
  void update(std::span<const Vec3> begin, std::span<const Vec3> end, std::span<const double> radii) {
    HEDDLE_CHECK_EQ(begin.size(), end.size());
    HEDDLE_CHECK_EQ(begin.size(), radii.size());
    bounds_.resize(begin.size());
    parallel_for(static_cast<int>(begin.size()), [&](int vertex) {
      const auto i = static_cast<size_t>(vertex);
      HEDDLE_CHECK(std::isfinite(begin[i].sum()) && std::isfinite(end[i].sum()));
      bounds_[i] = KDop<K>::of_segment(begin[i], end[i], radii[i]);
    });
  }

  const KDop<K>& of_vertex(int v) const { return bounds_[static_cast<size_t>(v)]; }
  KDop<K> of_edge(const Edge& e) const { return merged(of_vertex(e[0]), of_vertex(e[1])); }
  KDop<K> of_triangle(const Triangle& t) const {
    return merged(merged(of_vertex(t[0]), of_vertex(t[1])), of_vertex(t[2]));
  }

 private:
  std::vector<KDop<K>> bounds_;
};

}  // namespace heddle
