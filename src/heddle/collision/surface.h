#pragma once

#include <heddle/mesh/topology.h>

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// One cloth, one mesh obstacle or one rod, in its own vertex numbering. It has triangles or segments, not
/// both.
struct CollisionBody {
  int vertex_count = 0;
  std::vector<Triangle> triangles;
  bool kinematic = false;           // moves as told or not at all: never tested against itself or its like
  std::vector<Edge> segments = {};  // of a rod
  std::vector<Edge> close_segments = {};  // pairs of them that are never tested, because the rod joins them
};

/// Where a body went in the common numbering.
struct CollisionBodyRange {
  int first_vertex = 0, vertex_count = 0;
  int first_triangle = 0, triangle_count = 0;
  bool kinematic = false;
  int first_segment = 0, segment_count = 0;
};

/// Vertices and edges that one triangle answers for, as bits 0-2 (corners) and 3-5 (edges from corner i to
/// i + 1).
using Owned = std::uint8_t;
constexpr bool owns_corner(Owned owned, int corner) {
  return (owned >> corner) & 1;
}
constexpr bool owns_edge(Owned owned, int corner) {
  return (owned >> (3 + corner)) & 1;
}

/// All triangles and segments of rods that can collide, in one vertex numbering: body after body.
/// What a search divides is called a leaf: the triangles, then the segments as triangles (a, b, b).
/// Each vertex and each edge belongs to exactly one of its leaves. So when every pair of leaves tests the
/// vertices and edges it owns, every pair of vertex and triangle and every pair of edges is tested once.
struct CollisionSurface {
  std::vector<Triangle> triangles;
  std::vector<Edge> segments;
  std::vector<int> triangle_body;  // by leaf
  std::vector<Owned> owned;        // by leaf
  std::vector<Edge> edges;         // of triangles, lower vertex first, ascending; then the segments
  std::vector<std::array<int, 3>> triangle_edges;  // by leaf; segments have only the first
  std::vector<std::array<int, 2>> edge_triangles;  // second is kNoFace on the boundary, both of a segment
  std::vector<std::array<int, 3>>
      neighbours;             // by leaf: triangle across edge i, if both agree on the front, or kNoFace
  IndexLists close_segments;  // by segment: those that it is never tested against, ascending
  std::vector<CollisionBodyRange> bodies;
  int vertex_count = 0;
  bool between_free = true;  // whether bodies that are not kinematic are tested against themselves and others

  int triangle_count() const { return static_cast<int>(triangles.size()); }
  int edge_count() const { return static_cast<int>(edges.size()); }
  int segment_count() const { return static_cast<int>(segments.size()); }
  int leaf_count() const { return triangle_count() + segment_count(); }
  bool is_segment(int leaf) const { return leaf >= triangle_count(); }
  Triangle corners(int leaf) const {
    if (!is_segment(leaf)) return triangles[static_cast<size_t>(leaf)];
    const Edge& ends = segments[static_cast<size_t>(leaf - triangle_count())];
    return {ends[0], ends[1], ends[1]};
  }
  /// Whether two edges are segments that are never tested against each other.
  bool are_close(int edge_a, int edge_b) const;
  bool kinematic(int triangle) const {
    return bodies[static_cast<size_t>(triangle_body[static_cast<size_t>(triangle)])].kinematic;
  }
  /// Whether the bodies of the two leaves are tested against each other.
  bool may_meet(int a, int b) const { return kinematic(a) ? !kinematic(b) : between_free || kinematic(b); }
};

/// Triangles must name three different vertices of their body.
CollisionSurface make_collision_surface(std::span<const CollisionBody> bodies);

}  // namespace heddle
