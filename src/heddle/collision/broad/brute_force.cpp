#include <heddle/collision/broad/brute_force.h>
#include <heddle/collision/broad/primitive_pairs.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void BruteForce::update(std::span<const Vec3> begin, std::span<const Vec3> end,
                        std::span<const double> radii) {
  vertices_.assign(begin.size(), Box());
  for (size_t i = 0; i < begin.size(); ++i) {
    const Vec3 reach = Vec3::Constant(radii[i]);
    vertices_[i].extend(begin[i] - reach).extend(begin[i] + reach);
    vertices_[i].extend(end[i] - reach).extend(end[i] + reach);
  }
  edges_.clear();
  for (const auto& [a, b] : surface_.edges) edges_.push_back(vertices_[at(a)].merged(vertices_[at(b)]));
  triangles_.clear();
  used_.assign(begin.size(), 0);
  for (const auto& [a, b, c] : surface_.triangles) {
    triangles_.push_back(vertices_[at(a)].merged(vertices_[at(b)]).merged(vertices_[at(c)]));
    used_[at(a)] = used_[at(b)] = used_[at(c)] = 1;
  }
  for (const auto& [a, b] : surface_.segments) used_[at(a)] = used_[at(b)] = 1;
  kinematic_.assign(begin.size(), 0);
  for (const CollisionBodyRange& body : surface_.bodies)
    for (int i = 0; i < body.vertex_count; ++i) kinematic_[at(body.first_vertex + i)] = body.kinematic;
}

bool BruteForce::may_meet(int vertex_a, int vertex_b) const {
  return kinematic_[at(vertex_a)] != kinematic_[at(vertex_b)] ||
         (surface_.between_free && !kinematic_[at(vertex_a)]);
}

void BruteForce::find(CandidatePairs& out) {
  out.clear();
  for (int vertex = 0; vertex < surface_.vertex_count; ++vertex)
    for (int t = 0; t < surface_.triangle_count(); ++t) {
      const Triangle& corners = surface_.triangles[at(t)];
      if (!used_[at(vertex)] || has_vertex(corners, vertex) || !may_meet(vertex, corners[0])) continue;
      if (vertices_[at(vertex)].intersects(triangles_[at(t)])) out.vertex_triangle.push_back({vertex, t});
    }
  for (int first = 0; first < surface_.edge_count(); ++first)
    for (int second = first + 1; second < surface_.edge_count(); ++second) {
      const Edge &a = surface_.edges[at(first)], &b = surface_.edges[at(second)];
      if (share_vertex(a, b) || surface_.are_close(first, second) || !may_meet(a[0], b[0])) continue;
      if (edges_[at(first)].intersects(edges_[at(second)])) out.edge_edge.push_back({first, second});
    }
}

}  // namespace heddle
