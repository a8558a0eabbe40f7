#include "test_meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace heddle {
namespace {

TEST(CollisionSurface, JoinsBodiesInOneNumbering) {
  const std::vector<CollisionBody> bodies{sheet_body(2, 1), sheet_body(1, 1, true)};
  const CollisionSurface surface = make_collision_surface(bodies);
  EXPECT_EQ(surface.vertex_count, 6 + 4);
  EXPECT_EQ(surface.triangle_count(), 4 + 2);
  EXPECT_EQ(surface.edge_count(), 9 + 5);
  EXPECT_EQ(surface.bodies[1].first_vertex, 6);
  EXPECT_EQ(surface.bodies[1].first_triangle, 4);
  EXPECT_EQ(surface.triangles[4], (Triangle{6, 7, 9}));
  EXPECT_FALSE(surface.kinematic(3));
  EXPECT_TRUE(surface.kinematic(4));
}

TEST(CollisionSurface, GivesEachVertexAndEdgeToOneOfItsTriangles) {
  for (const CollisionCase& c : collision_cases()) {
    std::map<int, int> vertex_owners, edge_owners, used;
    for (size_t t = 0; t < c.surface.triangles.size(); ++t)
      for (int corner = 0; corner < 3; ++corner) {
        const auto i = static_cast<size_t>(corner);
        used[c.surface.triangles[t][i]] = 1;
        if (owns_corner(c.surface.owned[t], corner)) ++vertex_owners[c.surface.triangles[t][i]];
        if (owns_edge(c.surface.owned[t], corner)) ++edge_owners[c.surface.triangle_edges[t][i]];
      }
    EXPECT_EQ(vertex_owners, used) << c.name;
    EXPECT_EQ(edge_owners.size(), c.surface.edges.size()) << c.name;
    for (const auto& [edge, owners] : edge_owners) EXPECT_EQ(owners, 1) << c.name << ", edge " << edge;
  }
}

TEST(CollisionSurface, NeighboursAreMutualAndShareTheEdge) {
  const CollisionCase c = folded_case(6, 2);
  for (size_t t = 0; t < c.surface.triangles.size(); ++t)
    for (size_t corner = 0; corner < 3; ++corner) {
      const int other = c.surface.neighbours[t][corner];
      const auto& sides = c.surface.edge_triangles[static_cast<size_t>(c.surface.triangle_edges[t][corner])];
      EXPECT_EQ(other == kNoFace, sides[1] == kNoFace);
      EXPECT_EQ(other, sides[0] == static_cast<int>(t) ? sides[1] : sides[0]);
    }
}

TEST(CollisionSurface, RefusesTrianglesWithRepeatedOrUnknownVertices) {
  const std::vector<CollisionBody> repeated{CollisionBody{3, {{0, 1, 1}}, false}};
  EXPECT_THROW(make_collision_surface(repeated), std::logic_error);
  const std::vector<CollisionBody> unknown{CollisionBody{3, {{0, 1, 3}}, false}};
  EXPECT_THROW(make_collision_surface(unknown), std::logic_error);
}

/// A crumpled thread of segments between sheets: every search finds what the oracle finds, without the pairs
/// that the thread joins.
TEST(CollisionSurface, SegmentsAreFoundLikeEdges) {
  constexpr int kNodes = 60;
  CollisionBody thread{.vertex_count = kNodes + 5, .triangles = {}};
  for (int i = 0; i + 1 < kNodes; ++i) thread.segments.push_back({i, i + 1});
  for (int i = 0; i + 3 < kNodes; ++i) thread.close_segments.push_back({i, i + 2});
  const std::vector<CollisionBody> bodies{sheet_body(3, 3), thread, sheet_body(2, 2, true)};
  const CollisionSurface surface = make_collision_surface(bodies);
  EXPECT_EQ(surface.leaf_count(), surface.triangle_count() + kNodes - 1);
  EXPECT_TRUE(surface.are_close(surface.edge_count() - 1, surface.edge_count() - 3));
  EXPECT_FALSE(surface.are_close(surface.edge_count() - 1, surface.edge_count() - 4));
  std::srand(3);
  std::vector<Vec3> x;
  for (int i = 0; i < surface.vertex_count; ++i) x.push_back(Vec3::Random());
  std::vector<CandidatePairs> found;
  for (const std::string_view name : {"brute_force", "bvh6", "hash", "bvh"}) {
    const auto broad_phase = make_broad_phase(name, surface, x);
    broad_phase->update(x, x, 0.1);
    broad_phase->find(found.emplace_back());
    found.back() = sorted(found.back());
  }
  EXPECT_GT(found[0].edge_edge.size(), 500u);
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
  const auto& oracle = found[0].edge_edge;
  for (const EdgeEdge& pair : found[3].edge_edge) {
    EXPECT_TRUE(std::ranges::binary_search(oracle, pair));
    EXPECT_FALSE(surface.are_close(pair.first, pair.second));
  }
}

}  // namespace
}  // namespace heddle
