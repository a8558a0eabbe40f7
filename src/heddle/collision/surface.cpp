#include <heddle/collision/surface.h>
#include <heddle/core/check.h>

#include <algorithm>
#include <bit>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

void append(CollisionSurface& surface, const CollisionBody& body) {
  CollisionBodyRange range{surface.vertex_count, body.vertex_count, surface.triangle_count(),
                           static_cast<int>(body.triangles.size()), body.kinematic};
  for (const Triangle& local : body.triangles) {
    for (const int vertex : local) HEDDLE_CHECK(vertex >= 0 && vertex < body.vertex_count);
    HEDDLE_CHECK(local[0] != local[1] && local[1] != local[2] && local[2] != local[0]);
    surface.triangles.push_back(
        {range.first_vertex + local[0], range.first_vertex + local[1], range.first_vertex + local[2]});
    surface.triangle_body.push_back(static_cast<int>(surface.bodies.size()));
  }
  HEDDLE_CHECK(body.triangles.empty() || body.segments.empty());
  range.first_segment = surface.segment_count();
  range.segment_count = static_cast<int>(body.segments.size());
  for (const Edge& local : body.segments) {
    for (const int vertex : local) HEDDLE_CHECK(vertex >= 0 && vertex < body.vertex_count);
    HEDDLE_CHECK(local[0] != local[1]);
    surface.segments.push_back({range.first_vertex + local[0], range.first_vertex + local[1]});
  }
  surface.vertex_count += body.vertex_count;
  surface.bodies.push_back(range);
}

/// Segments as leaves behind the triangles, each with its edge; a vertex belongs to its first segment.
void append_segments(CollisionSurface& surface) {
  std::vector<char> is_owned(at(surface.vertex_count), 0);
  for (int body = 0; body < static_cast<int>(surface.bodies.size()); ++body)
    for (int k = 0; k < surface.bodies[at(body)].segment_count; ++k) {
      const Edge& ends = surface.segments[at(surface.bodies[at(body)].first_segment + k)];
      Owned owned = 8;
      for (int corner = 0; corner < 2; ++corner) {
        char& known = is_owned[at(ends[at(corner)])];
        if (!known) owned |= static_cast<Owned>(1 << corner);
        known = 1;
      }
      surface.triangle_body.push_back(body);
      surface.owned.push_back(owned);
      surface.neighbours.push_back({kNoFace, kNoFace, kNoFace});
      surface.triangle_edges.push_back({surface.edge_count(), -1, -1});
      surface.edge_triangles.push_back({kNoFace, kNoFace});
      surface.edges.push_back(ends);
    }
}

IndexLists close_lists(const CollisionSurface& surface, std::span<const CollisionBody> bodies) {
  std::vector<Edge> both;
  for (size_t k = 0; k < bodies.size(); ++k)
    for (const auto& [a, b] : bodies[k].close_segments) {
      const int first = surface.bodies[k].first_segment;
      both.push_back({first + a, first + b});
      both.push_back({first + b, first + a});
    }
  std::sort(both.begin(), both.end());
  IndexLists lists;
  lists.offsets.assign(surface.segments.size() + 1, 0);
  for (const auto& [a, b] : both) {
    ++lists.offsets[at(a) + 1];
    lists.items.push_back(b);
  }
  for (size_t i = 1; i < lists.offsets.size(); ++i) lists.offsets[i] += lists.offsets[i - 1];
  return lists;
}

/// The triangle that owns least so far, the lowest of equals: even loads make even leaves.
int least_loaded(std::span<const int> triangles, std::span<const Owned> owned) {
  int best = triangles.front();
  for (const int triangle : triangles)
    if (std::popcount(owned[at(triangle)]) < std::popcount(owned[at(best)])) best = triangle;
  return best;
}

int corner_of(const Triangle& triangle, int vertex) {
  return triangle[0] == vertex ? 0 : triangle[1] == vertex ? 1 : 2;
}

int corner_of_edge(const std::array<int, 3>& edges, int edge) {
  return edges[0] == edge ? 0 : edges[1] == edge ? 1 : 2;
}

void assign_owners(CollisionSurface& surface, const IndexLists& vertex_triangles) {
  surface.owned.assign(surface.triangles.size(), 0);
  for (int edge = 0; edge < surface.edge_count(); ++edge) {
    const auto& sides = surface.edge_triangles[at(edge)];
    const int owner = least_loaded(std::span(sides).first(sides[1] == kNoFace ? 1 : 2), surface.owned);
    const int corner = corner_of_edge(surface.triangle_edges[at(owner)], edge);
    surface.owned[at(owner)] |= static_cast<Owned>(8 << corner);
  }
  for (int vertex = 0; vertex < surface.vertex_count; ++vertex) {
    if (vertex_triangles[vertex].empty()) continue;
    const int owner = least_loaded(vertex_triangles[vertex], surface.owned);
    const int corner = corner_of(surface.triangles[at(owner)], vertex);
    surface.owned[at(owner)] |= static_cast<Owned>(1 << corner);
  }
}

/// Only edges of exactly two triangles that run through them in opposite directions join them.
void find_neighbours(CollisionSurface& surface) {
  surface.neighbours.assign(surface.triangles.size(), {kNoFace, kNoFace, kNoFace});
  const auto sides = sorted_half_edges(surface.vertex_count, surface.triangles);
  for (size_t begin = 0, end; begin < sides.size(); begin = end) {
    for (end = begin + 1;
         end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high;)
      ++end;
    if (end - begin != 2 || sides[begin].forward == sides[begin + 1].forward) continue;
    const HalfEdge &a = sides[begin], &b = sides[begin + 1];
    surface.neighbours[at(a.face)][at(a.corner)] = b.face;
    surface.neighbours[at(b.face)][at(b.corner)] = a.face;
  }
}

}  // namespace

bool CollisionSurface::are_close(int edge_a, int edge_b) const {
  const int first = edge_count() - segment_count();
  if (edge_a < first || edge_b < first) return false;
  const auto close = close_segments[edge_a - first];
  return std::binary_search(close.begin(), close.end(), edge_b - first);
}

CollisionSurface make_collision_surface(std::span<const CollisionBody> bodies) {
  CollisionSurface surface;
  for (const CollisionBody& body : bodies) append(surface, body);
  Topology topology = make_topology(surface.vertex_count, surface.triangles);
  surface.edges = std::move(topology.edges);
  surface.triangle_edges = std::move(topology.face_edges);
  surface.edge_triangles = std::move(topology.edge_faces);
  assign_owners(surface, topology.vertex_faces);
  find_neighbours(surface);
  append_segments(surface);
  surface.close_segments = close_lists(surface, bodies);
  return surface;
}

}  // namespace heddle
