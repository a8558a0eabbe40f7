#include <heddle/mesh/generators.h>
#include <heddle/mesh/measures.h>
#include <heddle/mesh/rest_state.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace heddle {
namespace {

const Vec3& corner(const TriangleMesh& mesh, size_t face, size_t i) {
  return mesh.positions[static_cast<size_t>(mesh.triangles[face][i])];
}

/// Rolls a sheet to a cylinder of that radius about the y axis; lengths change only by the chords.
TriangleMesh rolled(TriangleMesh mesh, double radius) {
  mesh.flat = false;
  for (Vec3& p : mesh.positions) {
    const double angle = p.x() / radius;
    p = Vec3(radius * std::sin(angle), p.y(), radius * std::cos(angle));
  }
  return mesh;
}

void turn(TriangleMesh& mesh, const Quat& rotation) {
  for (Vec3& p : mesh.positions) p = rotation * p;
}

void expect_same_edge_lengths(const TriangleMesh& mesh, const RestState& rest) {
  for (size_t face = 0; face < mesh.triangles.size(); ++face)
    for (size_t i = 0; i < 3; ++i) {
      const size_t j = (i + 1) % 3;
      ASSERT_NEAR((rest.triangles[face][j] - rest.triangles[face][i]).norm(),
                  (corner(mesh, face, j) - corner(mesh, face, i)).norm(), 1e-12);
    }
}

/// Gradient of the map from rest coordinates to space: its columns are where weft and warp point.
Mat32 deformation(const TriangleMesh& mesh, const RestState& rest, size_t face) {
  Mat2 at_rest;
  at_rest << rest.triangles[face][1] - rest.triangles[face][0],
      rest.triangles[face][2] - rest.triangles[face][0];
  Mat32 now;
  now << corner(mesh, face, 1) - corner(mesh, face, 0), corner(mesh, face, 2) - corner(mesh, face, 0);
  return now * at_rest.inverse();
}

TEST(RestState, WordsOfTheScene) {
  EXPECT_EQ(rest_source_from("auto"), RestSource::automatic);
  EXPECT_EQ(rest_source_from("shape"), RestSource::shape);
  EXPECT_FALSE(rest_source_from("Shape"));
}

TEST(RestState, FlatMeshIsItsOwnRestShape) {
  const TriangleMesh mesh = make_mesh(Irregular{{1, 0.5}, 0.1, 1});
  const auto rest = make_rest_state(mesh, RestSource::automatic);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->source, RestSource::flat);
  for (size_t face = 0; face < mesh.triangles.size(); ++face) {
    const Mat32 f = deformation(mesh, *rest, face);
    EXPECT_LT((f.col(0) - Vec3::UnitX()).norm() + (f.col(1) - Vec3::UnitY()).norm(), 1e-12);
    EXPECT_GT(rest->area[face], 0);
  }
}

// A tube of one strip, closed by faces that lie at the end of the strip in u.
TEST(RestState, FacesAtASeamHaveTheirOwnCorners) {
  constexpr int kSides = 8;
  constexpr double kSide = 0.1;
  const double radius = kSide / (2 * std::sin(std::numbers::pi / kSides));
  TriangleMesh mesh;
  for (int i = 0; i < kSides; ++i) {
    const double angle = 2 * std::numbers::pi * i / kSides;
    for (const double z : {0.0, 0.3}) {
      mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
      mesh.uv.emplace_back(i * kSide, z);
    }
    const int a = 2 * i, b = (2 * i + 2) % (2 * kSides);
    const double u = i * kSide, v = u + kSide;
    mesh.triangles.insert(mesh.triangles.end(), {{a, b, b + 1}, {a, b + 1, a + 1}});
    mesh.corner_uv.push_back({Vec2(u, 0), Vec2(v, 0), Vec2(v, 0.3)});
    mesh.corner_uv.push_back({Vec2(u, 0), Vec2(v, 0.3), Vec2(u, 0.3)});
  }
  for (const RestSource source : {RestSource::uv, RestSource::shape}) {
    const auto rest = make_rest_state(mesh, source);
    ASSERT_TRUE(rest) << rest.errors().text();
    expect_same_edge_lengths(mesh, *rest);
    for (size_t face = 0; face < mesh.triangles.size(); ++face) {
      const Mat32 f = deformation(mesh, *rest, face);
      EXPECT_NEAR(f(2, 0), 0, 1e-12) << "the weft runs around";
      EXPECT_NEAR(f(2, 1), 1, 1e-12) << "the warp runs up";
    }
  }
}

TEST(RestState, FlatMeshKeepsItsWeftWhenTurned) {
  const Quat rotation(Eigen::AngleAxisd(2.0, Vec3(1, -2, 0.5).normalized()));
  TriangleMesh mesh = make_mesh(Grid{{1, 2}, {4, 5}, "alternating"});
  turn(mesh, rotation);
  const auto rest = make_rest_state(mesh, RestSource::automatic);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->source, RestSource::flat);
  for (size_t face = 0; face < mesh.triangles.size(); ++face) {
    const Mat32 f = deformation(mesh, *rest, face);
    EXPECT_LT((f.col(0) - rotation * Vec3::UnitX()).norm(), 1e-12);
    EXPECT_LT((f.col(1) - rotation * Vec3::UnitY()).norm(), 1e-12);
  }
}

TEST(RestState, WithoutTextureCoordinatesWeftFollowsX) {
  TriangleMesh mesh = make_mesh(Grid{{1, 1}, {3, 3}, "single"});
  mesh.uv.clear();
  turn(mesh, Quat(Eigen::AngleAxisd(0.5, Vec3::UnitY())));
  const auto tilted = make_rest_state(mesh, RestSource::flat);
  ASSERT_TRUE(tilted);
  EXPECT_LT((deformation(mesh, *tilted, 3).col(0) - Vec3(std::cos(0.5), 0, -std::sin(0.5))).norm(), 1e-12);
  turn(mesh, Quat(Eigen::AngleAxisd(M_PI / 2 - 0.5, Vec3::UnitY())));
  const auto normal_to_x = make_rest_state(mesh, RestSource::flat);
  ASSERT_TRUE(normal_to_x);
  EXPECT_LT((deformation(mesh, *normal_to_x, 3).col(0) - Vec3::UnitY()).norm(), 1e-12);
}

TEST(RestState, ShapeIsIsometricWithWeftAlongU) {
  const TriangleMesh mesh = rolled(make_mesh(Grid{{1, 0.5}, {21, 9}, "alternating"}), 0.3);
  const auto rest = make_rest_state(mesh, RestSource::automatic);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->source, RestSource::shape);
  expect_same_edge_lengths(mesh, *rest);
  for (size_t face = 0; face < mesh.triangles.size(); ++face)
    EXPECT_LT((deformation(mesh, *rest, face).col(1) - Vec3::UnitY()).norm(), 1e-12);
}

TEST(RestState, ShapeOfASphereHasPositiveAreas) {
  TriangleMesh mesh;
  mesh.positions = {Vec3(1, 0, 0),  Vec3(0, 1, 0),  Vec3(0, 0, 1),
                    Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1)};
  mesh.triangles = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
  const auto rest = make_rest_state(mesh, RestSource::automatic);
  ASSERT_TRUE(rest);
  expect_same_edge_lengths(mesh, *rest);
  for (const double area : rest->area) EXPECT_NEAR(area, std::sqrt(3.0) / 2, 1e-12);
}

TEST(RestState, TextureCoordinatesAreTakenAsMetres) {
  TriangleMesh mesh = rolled(make_mesh(Grid{{1, 0.5}, {21, 9}, "single"}), 0.3);
  const auto rest = make_rest_state(mesh, RestSource::uv);
  ASSERT_TRUE(rest);
  for (size_t face = 0; face < mesh.triangles.size(); ++face) {
    EXPECT_NEAR(rest->area[face], 0.5 * 0.05 * 0.0625, 1e-14);
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(rest->triangles[face][i], mesh.uv[static_cast<size_t>(mesh.triangles[face][i])]);
  }
}

TEST(RestState, MirroredTextureCoordinatesAreMirroredBack) {
  TriangleMesh mesh = make_mesh(Grid{{1, 1}, {3, 3}, "single"});
  for (Vec2& uv : mesh.uv) uv.y() = -uv.y();
  const auto rest = make_rest_state(mesh, RestSource::uv);
  ASSERT_TRUE(rest);
  for (const double area : rest->area) EXPECT_NEAR(area, 0.125, 1e-15);
}

TEST(RestState, WeftAngleTurnsTheWeft) {
  for (const TriangleMesh& mesh : {make_mesh(Grid{{1, 1}, {3, 3}, "single"}), [] {
                                     TriangleMesh bump = make_mesh(Grid{{1, 1}, {3, 3}, "single"});
                                     bump.positions[4].z() = 1e-6;
                                     return bump;
                                   }()}) {
    std::vector<double> angles(mesh.triangles.size(), 0.0);
    angles[2] = 0.7;
    for (const RestSource source : {RestSource::automatic, RestSource::uv}) {
      const auto rest = make_rest_state(mesh, source, angles);
      ASSERT_TRUE(rest);
      EXPECT_LT((deformation(mesh, *rest, 1).col(0) - Vec3::UnitX()).norm(), 1e-5);
      EXPECT_LT((deformation(mesh, *rest, 2).col(0) - Vec3(std::cos(0.7), std::sin(0.7), 0)).norm(), 1e-5);
      EXPECT_NEAR(rest->area[2], 0.125, 1e-9);
    }
  }
}

TEST(RestState, FlatnessIsStrict) {
  TriangleMesh mesh = make_mesh(Grid{{1, 1}, {5, 5}, "single"});
  mesh.positions[12].z() = 1e-10;
  EXPECT_TRUE(is_flat(mesh));
  mesh.positions[12].z() = 1e-8;
  EXPECT_FALSE(is_flat(mesh));
  mesh.positions[12].z() = 0;
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  EXPECT_TRUE(is_flat(mesh)) << "facing down is flat too";
  for (Vec3& p : mesh.positions) p.x() = std::abs(p.x());
  EXPECT_FALSE(is_flat(mesh)) << "folded on itself";
}

TEST(RestState, FailuresNameTheRemedy) {
  TriangleMesh mesh = rolled(make_mesh(Grid{{1, 1}, {5, 5}, "single"}), 0.3);
  const auto flat = make_rest_state(mesh, RestSource::flat);
  ASSERT_FALSE(flat);
  EXPECT_NE(flat.errors().text().find("rest \"shape\""), std::string::npos);
  mesh.uv[0] = mesh.uv[1];
  const auto degenerate = make_rest_state(mesh, RestSource::uv);
  ASSERT_FALSE(degenerate);
  EXPECT_NE(degenerate.errors().text().find("triangle 0 "), std::string::npos) << degenerate.errors().text();
  mesh.uv.clear();
  EXPECT_FALSE(make_rest_state(mesh, RestSource::uv));
  EXPECT_FALSE(make_rest_state(TriangleMesh{}, RestSource::automatic));
}

TEST(RestState, WingsKeepTheirPlaceBesideTheEdge) {
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {2, 0, 0}, {0.5, 3, 4}};  // 5 m from the edge in its tilted plane
  mesh.triangles = {{0, 1, 2}};
  const RestState rest = *make_rest_state(mesh, RestSource::shape);
  const Wing wing = wing_at_rest(rest, mesh.triangles, 0, 0, 1),
             back = wing_at_rest(rest, mesh.triangles, 0, 1, 0);
  EXPECT_NEAR(wing.along, 0.5, 1e-12);
  EXPECT_NEAR(back.along, 1.5, 1e-12);
  for (const Wing& each : {wing, back}) {
    EXPECT_NEAR(each.across, 5, 1e-12);
    EXPECT_NEAR(each.length, 2, 1e-12);
  }
}

TEST(RestState, OnlyShapesHaveBentHingesAtRest) {
  const int columns = 20;
  const TriangleMesh mesh = rolled(make_mesh(Grid{{1, 0.5}, {columns + 1, 3}, "single"}), 0.3);
  const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
  const double bend = 1.0 / columns / 0.3;
  int bent = 0;
  for (const double angle : rest_hinge_angles(mesh, RestSource::shape, topology.hinges)) {
    if (std::abs(angle) < 1e-9) continue;
    EXPECT_NEAR(angle, bend, 1e-9) << "the front is the outside of the roll: a ridge";
    ++bent;
  }
  EXPECT_EQ(bent, 2 * (columns - 1));
  for (const double angle : rest_hinge_angles(mesh, RestSource::uv, topology.hinges)) EXPECT_EQ(angle, 0);
}

}  // namespace
}  // namespace heddle
