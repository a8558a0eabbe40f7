#include <heddle/core/check.h>
#include <heddle/geometry/triangle.h>
#include <heddle/mesh/topology.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Turns counts stored in offsets[i + 1] into the offsets themselves.
void accumulate_offsets(std::vector<int>& offsets) {
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
}

IndexLists faces_of_vertices(int vertex_count, std::span<const Triangle> triangles) {
  IndexLists lists;
  lists.offsets.assign(at(vertex_count) + 1, 0);
  for (const Triangle& triangle : triangles)
    for (const int vertex : triangle) ++lists.offsets[at(vertex) + 1];
  accumulate_offsets(lists.offsets);
  lists.items.resize(3 * triangles.size());
  std::vector<int> next(lists.offsets.begin(), lists.offsets.end() - 1);
  for (size_t face = 0; face < triangles.size(); ++face)
    for (const int vertex : triangles[face]) lists.items[at(next[at(vertex)]++)] = static_cast<int>(face);
  return lists;
}

/// Edges ascend, so for every vertex first come the lower neighbours (as second end), then the higher ones.
IndexLists neighbours_of_vertices(int vertex_count, std::span<const Edge> edges) {
  IndexLists lists;
  lists.offsets.assign(at(vertex_count) + 1, 0);
  for (const auto& [low, high] : edges) {
    ++lists.offsets[at(low) + 1];
    ++lists.offsets[at(high) + 1];
  }
  accumulate_offsets(lists.offsets);
  lists.items.resize(2 * edges.size());
  std::vector<int> next(lists.offsets.begin(), lists.offsets.end() - 1);
  for (const auto& [low, high] : edges) lists.items[at(next[at(high)]++)] = low;
  for (const auto& [low, high] : edges) lists.items[at(next[at(low)]++)] = high;
  return lists;
}

int opposite(const HalfEdge& side, std::span<const Triangle> triangles) {
  return triangles[at(side.face)][at((side.corner + 2) % 3)];
}

Hinge make_hinge(const HalfEdge& a, const HalfEdge& b, int edge, std::span<const Triangle> triangles) {
  const int from = a.forward ? a.low : a.high, to = a.forward ? a.high : a.low;
  return {{opposite(a, triangles), opposite(b, triangles), from, to}, {a.face, b.face}, edge};
}

/// Adds the edge whose sides are given (at least one).
void add_edge(Topology& topology, std::span<const HalfEdge> sides, std::span<const Triangle> triangles) {
  const int edge = static_cast<int>(topology.edges.size());
  const HalfEdge& first = sides.front();
  topology.edges.push_back({first.low, first.high});
  for (const HalfEdge& side : sides) topology.face_edges[at(side.face)][at(side.corner)] = edge;
  topology.edge_faces.push_back({first.face, sides.size() > 1 ? sides[1].face : kNoFace});
  if (sides.size() == 2) topology.hinges.push_back(make_hinge(sides[0], sides[1], edge, triangles));
  if (sides.size() == 1) {
    const Edge backward{first.high, first.low};
    topology.boundary_edges.push_back(first.forward ? topology.edges.back() : backward);
  }
}

}  // namespace

std::vector<HalfEdge> sorted_half_edges(int vertex_count, std::span<const Triangle> triangles) {
  // Counting sort by the lower vertex leaves short runs to sort by the higher one.
  std::vector<int> next(at(vertex_count) + 1, 0);
  const auto low_of = [](const Triangle& t, size_t corner) {
    return std::min(t[corner], t[(corner + 1) % 3]);
  };
  for (const Triangle& t : triangles)
    for (size_t corner = 0; corner < 3; ++corner) ++next[at(low_of(t, corner)) + 1];
  accumulate_offsets(next);
  const std::vector<int> begin = next;
  std::vector<HalfEdge> sides(3 * triangles.size());
  for (size_t face = 0; face < triangles.size(); ++face)
    for (size_t corner = 0; corner < 3; ++corner) {
      const Triangle& t = triangles[face];
      const int from = t[corner], to = t[(corner + 1) % 3];
      sides[at(next[at(low_of(t, corner))]++)] = {std::min(from, to), std::max(from, to),
                                                  static_cast<int>(face), static_cast<int>(corner),
                                                  from < to};
    }
  parallel_for(vertex_count, [&](int vertex) {
    std::sort(sides.begin() + begin[at(vertex)], sides.begin() + begin[at(vertex) + 1],
              [](const HalfEdge& a, const HalfEdge& b) {
                return std::tie(a.high, a.face, a.corner) < std::tie(b.high, b.face, b.corner);
              });
  });
  return sides;
}

Topology make_topology(int vertex_count, std::span<const Triangle> triangles) {
  for (const Triangle& triangle : triangles)
    for (const int vertex : triangle) HEDDLE_CHECK(vertex >= 0 && vertex < vertex_count);
  const std::vector<HalfEdge> sides = sorted_half_edges(vertex_count, triangles);
  Topology topology;
  topology.face_edges.resize(triangles.size());
  topology.edges.reserve(sides.size() / 2);
  topology.edge_faces.reserve(sides.size() / 2);
  topology.hinges.reserve(sides.size() / 2);
  for (size_t begin = 0; begin < sides.size();) {
    size_t end = begin + 1;
    while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high)
      ++end;
    add_edge(topology, std::span(sides).subspan(begin, end - begin), triangles);
    begin = end;
  }
  topology.vertex_faces = faces_of_vertices(vertex_count, triangles);
  topology.vertex_neighbours = neighbours_of_vertices(vertex_count, topology.edges);
  return topology;
}

int Topology::face_across(int face, int corner) const {
  const auto& faces = edge_faces[at(face_edges[at(face)][at((corner + 1) % 3)])];
  return faces[0] == face ? faces[1] : faces[0];
}

int opposite_vertex(const Triangle& triangle, int a, int b) {
  for (const int vertex : triangle)
    if (vertex != a && vertex != b) return vertex;
  HEDDLE_CHECK(!"a triangle of three different vertices");
  return triangle[0];
}

std::vector<std::vector<int>> boundary_loops(const Topology& topology) {
  IndexLists leaving;  // boundary edges by the vertex they start from
  leaving.offsets.assign(at(topology.vertex_count()) + 1, 0);
  for (const Edge& edge : topology.boundary_edges) ++leaving.offsets[at(edge[0]) + 1];
  accumulate_offsets(leaving.offsets);
  leaving.items.resize(topology.boundary_edges.size());
  std::vector<int> next(leaving.offsets.begin(), leaving.offsets.end() - 1);
  for (const Edge& edge : topology.boundary_edges) leaving.items[at(next[at(edge[0])]++)] = edge[1];

  next.assign(leaving.offsets.begin(), leaving.offsets.end() - 1);
  std::vector<std::vector<int>> loops;
  for (const Edge& edge : topology.boundary_edges) {
    std::vector<int> loop;
    // An edge is used up when it is walked, so every vertex with edges left starts a new loop.
    for (int vertex = edge[0]; next[at(vertex)] < leaving.offsets[at(vertex) + 1];) {
      loop.push_back(vertex);
      vertex = leaving.items[at(next[at(vertex)]++)];
    }
    if (!loop.empty()) loops.push_back(std::move(loop));
  }
  return loops;
}

Components connected_components(const Topology& topology) {
  Components components;
  components.of_vertex.assign(at(topology.vertex_count()), -1);
  std::vector<int> stack;
  for (int seed = 0; seed < topology.vertex_count(); ++seed) {
    if (components.of_vertex[at(seed)] >= 0) continue;
    components.of_vertex[at(seed)] = components.count;
    stack.push_back(seed);
    while (!stack.empty()) {
      const int vertex = stack.back();
      stack.pop_back();
      for (const int neighbour : topology.vertex_neighbours[vertex]) {
        if (components.of_vertex[at(neighbour)] >= 0) continue;
        components.of_vertex[at(neighbour)] = components.count;
        stack.push_back(neighbour);
      }
    }
    ++components.count;
  }
  return components;
}

std::vector<double> hinge_angles(std::span<const Vec3> positions, std::span<const Hinge> hinges) {
  std::vector<double> angles(hinges.size());
  parallel_for(static_cast<int>(hinges.size()), [&](int i) {
    const auto [x1, x2, x3, x4] = hinges[at(i)].vertices;
    angles[at(i)] =
        dihedral_angle(positions[at(x1)], positions[at(x2)], positions[at(x3)], positions[at(x4)]);
  });
  return angles;
}

}  // namespace heddle
