#include <heddle/geometry/triangle.h>
#include <heddle/mesh/check.h>
#include <heddle/mesh/generators.h>
#include <heddle/mesh/measures.h>
#include <heddle/mesh/topology.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace heddle {
namespace {

struct NamedMesh {
  std::string name;
  TriangleMesh mesh;
  double area;
  Vec2 size;
};

std::vector<NamedMesh> all_meshes() {
  // The disc's border is a polygon of 6 * 28 corners.
  const double disc_area = 84 * std::sin(2 * M_PI / 168) * 0.25;
  return {
      {"alternating", make_mesh(Grid{{1, 0.5}, {21, 12}, "alternating"}), 0.5, {1, 0.5}},
      {"single", make_mesh(Grid{{1, 0.5}, {2, 2}, "single"}), 0.5, {1, 0.5}},
      {"cross", make_mesh(Grid{{2, 3}, {5, 7}, "cross"}), 6, {2, 3}},
      {"disc", make_mesh(Disc{0.5, 0.02}), disc_area, {1, 1}},
      {"ribbon", make_mesh(Ribbon{2, 0.1, 40, 2}), 0.2, {2, 0.1}},
      {"irregular", make_mesh(Irregular{{1.03, 0.71}, 0.02, 5}), 1.03 * 0.71, {1.03, 0.71}},
      {"thin_irregular", make_mesh(Irregular{{1, 0.004}, 0.02, 5}), 0.004, {1, 0.004}},
      {"graded", make_mesh(Graded{{1.03, 0.71}, 0.06, 0.005, 0.25, {0.2, -0.1}}), 1.03 * 0.71, {1.03, 0.71}},
      {"graded_corner", make_mesh(Graded{{1, 1}, 0.2, 0.01, 0.5, {-0.5, -0.5}}), 1, {1, 1}},
      {"coarse_irregular", make_mesh(Irregular{{1, 1}, 3, 5}), 1, {1, 1}},
  };
}

TEST(Generators, MakeSoundFlatSheets) {
  for (const auto& [name, mesh, area, size] : all_meshes()) {
    const Diagnostics diagnostics = check_mesh(mesh, name);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
    EXPECT_TRUE(mesh.flat);
    EXPECT_TRUE(is_flat(mesh)) << name;
    EXPECT_NEAR(total_area(mesh.positions, mesh.triangles), area, 1e-12 * area) << name;
    for (const Vec3& normal : face_normals(mesh.positions, mesh.triangles)) ASSERT_EQ(normal, Vec3::UnitZ());
  }
}

TEST(Generators, AreCentredWithRestCoordinatesInMetres) {
  for (const auto& [name, mesh, area, size] : all_meshes()) {
    const BoundingBox box = bounding_box(mesh.positions);
    EXPECT_LT((box.max().head<2>() - 0.5 * size).norm(), 1e-12) << name;
    EXPECT_LT((box.min().head<2>() + 0.5 * size).norm(), 1e-12) << name;
    ASSERT_EQ(mesh.uv.size(), mesh.positions.size());
    for (size_t i = 0; i < mesh.uv.size(); ++i)
      ASSERT_EQ(Vec3(mesh.uv[i].x(), mesh.uv[i].y(), 0), mesh.positions[i]) << name;
  }
}

TEST(Generators, MakeOnePieceWithOneBorder) {
  for (const auto& [name, mesh, area, size] : all_meshes()) {
    const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
    const int euler = mesh.vertex_count() - static_cast<int>(topology.edges.size()) + mesh.triangle_count();
    EXPECT_EQ(euler, 1) << name;
    EXPECT_EQ(connected_components(topology).count, 1) << name;
    EXPECT_EQ(boundary_loops(topology).size(), 1u) << name;
  }
}

TEST(Generators, GridHasTheAskedVertices) {
  const TriangleMesh mesh = make_mesh(Grid{{1, 1}, {4, 3}, "alternating"});
  EXPECT_EQ(mesh.vertex_count(), 12);
  EXPECT_EQ(mesh.triangle_count(), 12);
  EXPECT_EQ(make_mesh(Grid{{1, 1}, {4, 3}, "cross"}).vertex_count(), 12 + 6);
  EXPECT_EQ(make_mesh(Grid{{1, 1}, {4, 3}, "cross"}).triangle_count(), 24);
  EXPECT_EQ(make_mesh(Ribbon{1, 0.1, 7, 2}).vertex_count(), 8 * 3);
}

/// Union jack: inside the grid vertices have alternately 4 and 8 neighbours; with single diagonals all
/// have 6.
TEST(Generators, DiagonalsAlternate) {
  const int n = 7;
  for (const std::string diagonals : {"alternating", "single"}) {
    const TriangleMesh mesh = make_mesh(Grid{{1, 1}, {n, n}, diagonals});
    const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
    for (int j = 1; j + 1 < n; ++j)
      for (int i = 1; i + 1 < n; ++i) {
        const size_t expected = diagonals == "single" ? 6 : (i + j) % 2 == 0 ? 8 : 4;
        EXPECT_EQ(topology.vertex_neighbours[j * n + i].size(), expected) << diagonals << i << ' ' << j;
      }
  }
}

double smallest_quality(const TriangleMesh& mesh) {
  double smallest = 1;
  for (const auto& [a, b, c] : mesh.triangles)
    smallest = std::min(smallest, triangle_quality(mesh.positions[static_cast<size_t>(a)],
                                                   mesh.positions[static_cast<size_t>(b)],
                                                   mesh.positions[static_cast<size_t>(c)]));
  return smallest;
}

double mean_edge(const TriangleMesh& mesh) {
  const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
  double sum = 0;
  for (const auto& [a, b] : topology.edges)
    sum += (mesh.positions[static_cast<size_t>(a)] - mesh.positions[static_cast<size_t>(b)]).norm();
  return sum / static_cast<double>(topology.edges.size());
}

TEST(Generators, DiscTrianglesAreNearlyEquilateral) {
  EXPECT_GT(smallest_quality(make_mesh(Disc{0.5, 0.02})), 0.8);
  EXPECT_NEAR(mean_edge(make_mesh(Disc{0.5, 0.02})), 0.02, 0.0005);
}

TEST(Generators, IrregularMeshIsWellShapedForAnySeed) {
  for (int seed = 0; seed < 40; ++seed) {
    const TriangleMesh mesh = make_mesh(Irregular{{0.5, 0.3}, 0.01, seed});
    EXPECT_GT(smallest_quality(mesh), 0.25) << seed;
    EXPECT_NEAR(mean_edge(mesh), 0.01, 0.0004) << seed;
  }
}

uint64_t triangle_hash(const TriangleMesh& mesh) {
  uint64_t hash = 1469598103934665603ULL;
  for (const Triangle& t : mesh.triangles)
    for (const int vertex : t) hash = (hash ^ static_cast<uint64_t>(vertex)) * 1099511628211ULL;
  return hash;
}

TEST(Generators, IrregularMeshDependsOnTheSeedAlone) {
  const TriangleMesh mesh = make_mesh(Irregular{{1, 1}, 0.02, 7});
  // Recorded once: another compiler or processor must give the same mesh.
  EXPECT_EQ(mesh.vertex_count(), 3225);
  EXPECT_EQ(triangle_hash(mesh), 17981294336765728961ULL);
  EXPECT_NE(triangle_hash(make_mesh(Irregular{{1, 1}, 0.02, 8})), triangle_hash(mesh));
}

TEST(Generators, IrregularMeshScales) {
  const TriangleMesh mesh = make_mesh(Irregular{{1, 1}, 0.0055, 1});
  EXPECT_GT(mesh.vertex_count(), 40000);
  EXPECT_TRUE(check_mesh(mesh, "large").empty());
}

TEST(Generators, GradedMeshesAreFineAtOnePlace) {
  const Graded graded{{1, 1}, 0.08, 0.01, 0.25, {0.1, 0.2}};
  const TriangleMesh mesh = make_mesh(graded);
  double near = 0, far = 0;
  int fine = 0, coarse = 0;
  for (const Triangle& t : mesh.triangles)
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 &a = mesh.positions[static_cast<size_t>(t[k])],
                 &b = mesh.positions[static_cast<size_t>(t[(k + 1) % 3])];
      const double distance = (0.5 * (a + b) - Vec3(0.1, 0.2, 0)).norm();
      if (distance < 0.02) near += (b - a).norm(), ++fine;
      if (distance > 0.4) far += (b - a).norm(), ++coarse;
    }
  EXPECT_NEAR(near / fine, 0.012, 0.004);
  EXPECT_NEAR(far / coarse, 0.08, 0.012);
  const TriangleMesh raised = make_mesh(Graded{{1, 1}, 0.08, 0.01, 0.25, {0.1, 0.2}, 0.3});
  EXPECT_FALSE(raised.flat);
  EXPECT_EQ(raised.triangles, mesh.triangles);
  double highest = 0;
  for (const Vec3& x : raised.positions) highest = std::max(highest, x.z());
  EXPECT_NEAR(highest, 0.3, 0.01);
}

TEST(Generators, DescribeThemselvesAndReportAbsurdCounts) {
  Catalogue catalogue;
  add_generators(catalogue);
  EXPECT_EQ(catalogue.names("mesh"),
            (std::vector<std::string>{"grid", "disc", "ribbon", "irregular", "rings", "graded"}));
  Diagnostics diagnostics;
  const Irregular absurd{{10, 10}, 1e-4, 1};
  description_of<Irregular>().validate(&absurd, {}, diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST(Generators, GridReadsItsResolution) {
  const auto number = [](double content) { return Value(Value::Content(content), {}); };
  const auto grid = [&](double nx, double ny) {
    Value::Object object;
    object.push_back({"type", {}, Value(Value::Content(std::string("grid")), {})});
    object.push_back({"resolution", {}, Value(Value::Content(Value::List{number(nx), number(ny)}), {})});
    return Value(Value::Content(std::move(object)), {});
  };
  Catalogue catalogue;
  add_generators(catalogue);
  Diagnostics diagnostics;
  ReadContext context{catalogue, diagnostics};
  const auto mesh = make_mesh(read_entity(grid(3, 5), "mesh", context));
  ASSERT_TRUE(mesh) << diagnostics.text();
  EXPECT_EQ(mesh->vertex_count(), 15);
  read_entity(grid(3, 1), "mesh", context);
  EXPECT_EQ(diagnostics.items().size(), 1u) << "one vertex is no edge";
  read_entity(grid(3, 2.5), "mesh", context);
  EXPECT_EQ(diagnostics.items().size(), 2u) << "not a whole number";
}

}  // namespace
}  // namespace heddle
