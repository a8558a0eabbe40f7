#pragma once

#include <heddle/math/types.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// Lists of indices for many items in one array: item i owns items[offsets[i]] to items[offsets[i + 1]].
struct IndexLists {
  std::vector<int> offsets;
  std::vector<int> items;

  int size() const { return static_cast<int>(offsets.size()) - 1; }
  std::span<const int> operator[](int i) const {
    const size_t begin = static_cast<size_t>(offsets[static_cast<size_t>(i)]);
    const size_t end = static_cast<size_t>(offsets[static_cast<size_t>(i) + 1]);
    return std::span(items).subspan(begin, end - begin);
  }
};

using Edge = std::array<int, 2>;

/// Marks the missing face of a boundary edge.
inline constexpr int kNoFace = -1;

/// Two faces that share an edge, as bending needs them:
///
///          x4
///         / ^ \          vertices = {x1, x2, x3, x4}
///       x1  |  x2        faces[0] = (x1, x3, x4), faces[1] = (x2, x4, x3), both counter-clockwise
///         \ | /
///          x3            angle: dihedral_angle(x1, x2, x3, x4), 0 if flat, positive for a ridge seen from
///                        the front (normals diverge), negative for a valley
struct Hinge {
  std::array<int, 4> vertices;
  std::array<int, 2> faces;
  int edge;
};

/// Who touches whom in a surface of triangles. All indices are valid and orders are fixed by the input alone.
struct Topology {
  std::vector<Edge> edges;                     // lower vertex first, ascending
  std::vector<std::array<int, 3>> face_edges;  // edge from corner i to corner i + 1
  std::vector<std::array<int, 2>> edge_faces;  // second is kNoFace on the boundary
  std::vector<Hinge> hinges;                   // one per edge of exactly two faces, in the order of edges
  std::vector<Edge> boundary_edges;            // as their face runs through them
  IndexLists vertex_faces;                     // ascending
  IndexLists vertex_neighbours;                // ascending

  int vertex_count() const { return vertex_faces.size(); }
  /// The face that shares the side opposite to a corner, or kNoFace.
  int face_across(int face, int corner) const;
};

/// All triangles must name vertices below vertex_count. An edge of more than two faces (which check_mesh
/// reports) keeps its first two in edge_faces and gets no hinge.
Topology make_topology(int vertex_count, std::span<const Triangle> triangles);

/// The corner of a triangle that is neither a nor b.
int opposite_vertex(const Triangle& triangle, int a, int b);

/// Closed chains of boundary vertices; the surface lies on their left seen from the front. Where loops touch
/// in a vertex they may be joined in either way.
std::vector<std::vector<int>> boundary_loops(const Topology& topology);

/// Pieces that are connected by edges, numbered by their lowest vertex; a vertex without faces is its own.
struct Components {
  int count = 0;
  std::vector<int> of_vertex;
};
Components connected_components(const Topology& topology);

/// Current angle of each hinge, rad.
std::vector<double> hinge_angles(std::span<const Vec3> positions, std::span<const Hinge> hinges);

/// One side of a triangle, for algorithms that group sides by edge.
struct HalfEdge {
  int low, high;  // vertices, ascending
  int face, corner;
  bool forward;  // does the face run from low to high?
};

/// All sides of all triangles, those of the same edge next to each other, ordered by (low, high, face).
std::vector<HalfEdge> sorted_half_edges(int vertex_count, std::span<const Triangle> triangles);

}  // namespace heddle
