#pragma once

#include <heddle/mesh/topology.h>

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// One cloth or one mesh obstacle, in its own vertex numbering.
struct CollisionBody {
  int vertex_count = 0;
  std::vector<Triangle> triangles;
  bool kinematic = false;  // moves as told or not at all: never tested against itself or its like
};

/// Where a body went in the common numbering.
struct CollisionBodyRange {
  int first_vertex = 0, vertex_count = 0;
  int first_triangle = 0, triangle_count = 0;
  bool kinematic = false;
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

/// All triangles that can collide, in one vertex numbering: body after body.
/// Each vertex and each edge belongs to exactly one of its triangles. So when every pair of triangles tests
/// the vertices and edges it owns, every pair of vertex and triangle and every pair of edges is tested once.
struct CollisionSurface {
  std::vector<Triangle> triangles;
  std::vector<int> triangle_body;
  std::vector<Owned> owned;  // by triangle
  std::vector<Edge> edges;   // lower vertex first, ascending
  std::vector<std::array<int, 3>> triangle_edges;
  std::vector<std::array<int, 2>> edge_triangles;  // second is kNoFace on the boundary
  std::vector<std::array<int, 3>>
      neighbours;  // triangle across edge i, if both agree on the front, or kNoFace
  std::vector<CollisionBodyRange> bodies;
  int vertex_count = 0;
  bool between_free = true;  // whether bodies that are not kinematic are tested against themselves and others

  int triangle_count() const { return static_cast<int>(triangles.size()); }
  int edge_count() const { return static_cast<int>(edges.size()); }
  bool kinematic(int triangle) const {
    return bodies[static_cast<size_t>(triangle_body[static_cast<size_t>(triangle)])].kinematic;
  }
  /// Whether the bodies of the two triangles are tested against each other.
  bool may_meet(int a, int b) const { return kinematic(a) ? !kinematic(b) : between_free || kinematic(b); }
};

/// Triangles must name three different vertices of their body.
CollisionSurface make_collision_surface(std::span<const CollisionBody> bodies);

}  // namespace heddle
