#include "test_meshes.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace heddle
