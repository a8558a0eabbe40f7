#pragma once

#include <heddle/collision/broad/candidate_pairs.h>
#include <heddle/collision/broad/vertex_bounds.h>
#include <heddle/collision/surface.h>

#include <algorithm>
#include <utility>

namespace heddle {

inline bool has_vertex(const Triangle& t, int v) {
  return t[0] == v || t[1] == v || t[2] == v;
}

inline bool share_vertex(const Edge& a, const Edge& b) {
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

/// Adds the vertices that triangle a owns whose volumes meet the volume of triangle b.
template <int K>
void add_vertices_against(const CollisionSurface& surface, const VertexBounds<K>& bounds, int a, int b,
                          const KDop<K>& volume_b, CandidatePairs& out) {
  const Owned owned = surface.owned[static_cast<size_t>(a)];
  if ((owned & 7) == 0 || surface.is_segment(b)) return;
  const Triangle corners = surface.corners(a);
  const Triangle& other = surface.triangles[static_cast<size_t>(b)];
  for (int corner = 0; corner < 3; ++corner) {
    const int vertex = corners[static_cast<size_t>(corner)];
    if (!owns_corner(owned, corner) || has_vertex(other, vertex)) continue;
    if (overlap(bounds.of_vertex(vertex), volume_b)) out.vertex_triangle.push_back({vertex, b});
  }
}

/// Adds the pairs of edges that the two triangles own whose volumes meet.
template <int K>
void add_edges(const CollisionSurface& surface, const VertexBounds<K>& bounds, int a, int b,
               const KDop<K>& volume_b, CandidatePairs& out) {
  const Owned owned_a = surface.owned[static_cast<size_t>(a)],
              owned_b = surface.owned[static_cast<size_t>(b)];
  if (owned_a < 8 || owned_b < 8) return;
  for (int i = 0; i < 3; ++i) {
    if (!owns_edge(owned_a, i)) continue;
    const int edge_a = surface.triangle_edges[static_cast<size_t>(a)][static_cast<size_t>(i)];
    const Edge& ends_a = surface.edges[static_cast<size_t>(edge_a)];
    const KDop<K> volume_a = bounds.of_edge(ends_a);
    if (!overlap(volume_a, volume_b)) continue;
    for (int j = 0; j < 3; ++j) {
      if (!owns_edge(owned_b, j)) continue;
      const int edge_b = surface.triangle_edges[static_cast<size_t>(b)][static_cast<size_t>(j)];
      const Edge& ends_b = surface.edges[static_cast<size_t>(edge_b)];
      if (share_vertex(ends_a, ends_b) || surface.are_close(edge_a, edge_b) ||
          !overlap(volume_a, bounds.of_edge(ends_b)))
        continue;
      out.edge_edge.push_back({std::min(edge_a, edge_b), std::max(edge_a, edge_b)});
    }
  }
}

/// Adds every pair of primitives that triangles a and b answer for and whose volumes meet.
template <int K>
void add_primitive_pairs(const CollisionSurface& surface, const VertexBounds<K>& bounds, int a, int b,
                         const KDop<K>& volume_a, const KDop<K>& volume_b, CandidatePairs& out) {
  add_vertices_against(surface, bounds, a, b, volume_b, out);
  add_vertices_against(surface, bounds, b, a, volume_a, out);
  add_edges(surface, bounds, a, b, volume_b, out);
}

}  // namespace heddle
