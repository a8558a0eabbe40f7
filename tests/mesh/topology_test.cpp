#include <heddle/core/check.h>
#include <heddle/mesh/generators.h>
#include <heddle/mesh/measures.h>
#include <heddle/mesh/topology.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace heddle {
namespace {

const std::vector<Triangle> kTetrahedron{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

TEST(Topology, TetrahedronIsClosed) {
  const Topology topology = make_topology(4, kTetrahedron);
  EXPECT_EQ(topology.edges, (std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(topology.hinges.size(), 6u);
  EXPECT_TRUE(topology.boundary_edges.empty());
  EXPECT_TRUE(boundary_loops(topology).empty());
  for (int vertex = 0; vertex < 4; ++vertex) {
    EXPECT_EQ(topology.vertex_faces[vertex].size(), 3u);
    EXPECT_EQ(topology.vertex_neighbours[vertex].size(), 3u);
  }
}

TEST(Topology, HingeRunsAsItsFirstFaceDoes) {
  const std::vector<Triangle> triangles{{0, 1, 2}, {1, 3, 2}};
  const Topology topology = make_topology(4, triangles);
  ASSERT_EQ(topology.hinges.size(), 1u);
  const Hinge& hinge = topology.hinges[0];
  EXPECT_EQ(hinge.vertices, (std::array<int, 4>{0, 3, 1, 2}));
  EXPECT_EQ(hinge.faces, (std::array<int, 2>{0, 1}));
  EXPECT_EQ(topology.edges[static_cast<size_t>(hinge.edge)], (Edge{1, 2}));
}

TEST(Topology, HingesMatchTheirFaces) {
  const TriangleMesh mesh = make_mesh(Irregular{{1, 1}, 0.1, 2});
  const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
  for (const Hinge& hinge : topology.hinges) {
    const auto is_rotation = [&](int face, Triangle expected) {
      const Triangle& t = mesh.triangles[static_cast<size_t>(face)];
      for (int turn = 0; turn < 3; ++turn) {
        if (expected == t) return true;
        std::rotate(expected.begin(), expected.begin() + 1, expected.end());
      }
      return false;
    };
    const auto [x1, x2, x3, x4] = hinge.vertices;
    EXPECT_TRUE(is_rotation(hinge.faces[0], {x1, x3, x4}));
    EXPECT_TRUE(is_rotation(hinge.faces[1], {x2, x4, x3}));
  }
  EXPECT_EQ(topology.hinges.size() + topology.boundary_edges.size(), topology.edges.size());
}

TEST(Topology, FlatMeshHasAnglesOfZeroWhateverItsDirection) {
  TriangleMesh mesh = make_mesh(Disc{0.5, 0.1});
  const Quat rotation = Quat(Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()));
  for (Vec3& p : mesh.positions) p = rotation * p;
  const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
  for (const double angle : hinge_angles(mesh.positions, topology.hinges)) EXPECT_NEAR(angle, 0, 1e-12);
}

/// A sheet rolled about the y axis: mean of the angles is the turn per column, positive for a ridge.
TEST(Topology, FoldedSheetHasTheAngleAndSignOfItsFold) {
  for (const double fold : {0.4, -0.4}) {
    TriangleMesh mesh = make_mesh(Grid{{2, 1}, {3, 4}, "single"});
    for (Vec3& p : mesh.positions)
      if (p.x() > 0.5) p = Vec3(p.x() * std::cos(fold), p.y(), -p.x() * std::sin(fold));
    const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
    const std::vector<double> angles = hinge_angles(mesh.positions, topology.hinges);
    int folded = 0;
    for (size_t i = 0; i < angles.size(); ++i) {
      const auto [x1, x2, x3, x4] = topology.hinges[i].vertices;
      const bool on_crease = mesh.positions[static_cast<size_t>(x3)].x() == 0 &&
                             mesh.positions[static_cast<size_t>(x4)].x() == 0;
      EXPECT_NEAR(angles[i], on_crease ? fold : 0.0, 1e-12);
      folded += on_crease;
    }
    EXPECT_EQ(folded, 3);
  }
}

TEST(Topology, FaceEdgesJoinTheirCorners) {
  const TriangleMesh mesh = make_mesh(Disc{0.5, 0.1});
  const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
  for (size_t face = 0; face < mesh.triangles.size(); ++face)
    for (size_t corner = 0; corner < 3; ++corner) {
      const int a = mesh.triangles[face][corner], b = mesh.triangles[face][(corner + 1) % 3];
      const size_t edge = static_cast<size_t>(topology.face_edges[face][corner]);
      EXPECT_EQ(topology.edges[edge], (Edge{std::min(a, b), std::max(a, b)}));
      const auto& faces = topology.edge_faces[edge];
      EXPECT_TRUE(faces[0] == static_cast<int>(face) || faces[1] == static_cast<int>(face));
    }
}

TEST(Topology, AdjacencyMatchesBruteForce) {
  const TriangleMesh mesh = make_mesh(Irregular{{1, 1}, 0.15, 4});
  const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
  for (int vertex = 0; vertex < mesh.vertex_count(); ++vertex) {
    std::vector<int> faces;
    std::set<int> neighbours;
    for (int face = 0; face < mesh.triangle_count(); ++face) {
      const Triangle& t = mesh.triangles[static_cast<size_t>(face)];
      if (std::find(t.begin(), t.end(), vertex) == t.end()) continue;
      faces.push_back(face);
      for (const int other : t)
        if (other != vertex) neighbours.insert(other);
    }
    EXPECT_TRUE(std::ranges::equal(topology.vertex_faces[vertex], faces));
    EXPECT_TRUE(std::ranges::equal(topology.vertex_neighbours[vertex], neighbours));
  }
}

/// A square with a square hole, and a triangle apart from it.
TEST(Topology, LoopsAndComponents) {
  TriangleMesh grid = make_mesh(Grid{{1, 1}, {4, 4}, "single"});
  std::vector<Triangle> triangles = grid.triangles;
  triangles.erase(triangles.begin() + 8, triangles.begin() + 10);  // the middle of 3 x 3 cells
  triangles.push_back({16, 17, 18});
  const Topology topology = make_topology(20, triangles);
  std::vector<std::vector<int>> loops = boundary_loops(topology);
  std::ranges::sort(loops, {}, &std::vector<int>::size);
  ASSERT_EQ(loops.size(), 3u);
  EXPECT_EQ(loops[0], (std::vector<int>{16, 17, 18}));
  EXPECT_EQ(loops[1], (std::vector<int>{6, 5, 9, 10})) << "a hole runs clockwise";
  EXPECT_EQ(loops[2], (std::vector<int>{0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4}));
  const Components components = connected_components(topology);
  EXPECT_EQ(components.count, 3) << "sheet, triangle and lonely vertex";
  EXPECT_EQ(components.of_vertex[15], 0);
  EXPECT_EQ(components.of_vertex[17], 1);
  EXPECT_EQ(components.of_vertex[19], 2);
}

TEST(Topology, EdgeOfThreeFacesGetsNoHinge) {
  const std::vector<Triangle> triangles{{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  const Topology topology = make_topology(5, triangles);
  EXPECT_TRUE(topology.hinges.empty());
  EXPECT_EQ(topology.boundary_edges.size(), 6u);
  EXPECT_EQ(topology.edge_faces[0], (std::array<int, 2>{0, 1}));
}

TEST(Topology, RejectsIndicesOutOfRange) {
  const std::vector<Triangle> triangles{{0, 1, 4}};
  EXPECT_THROW(make_topology(4, triangles), CheckFailure);
}

TEST(Measures, VertexAreasAddUp) {
  const TriangleMesh mesh = make_mesh(Grid{{2, 1}, {3, 2}, "single"});
  const std::vector<double> faces = face_areas(mesh.positions, mesh.triangles);
  const std::vector<double> vertices = vertex_areas(mesh.vertex_count(), mesh.triangles, faces);
  EXPECT_NEAR(std::accumulate(vertices.begin(), vertices.end(), 0.0), 2.0, 1e-14);
  EXPECT_NEAR(vertices[0], 2 * 0.5 / 3, 1e-15) << "corner at which the diagonal ends";
  EXPECT_NEAR(vertices[2], 0.5 / 3, 1e-15) << "corner without diagonal";
  EXPECT_NEAR(total_area(mesh.positions, mesh.triangles), 2.0, 1e-14);
}

}  // namespace
}  // namespace heddle
