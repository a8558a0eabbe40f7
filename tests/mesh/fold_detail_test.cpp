#include <heddle/mesh/fold_detail.h>
#include <heddle/mesh/generators.h>
#include <heddle/mesh/measures.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

double detail_of(const TriangleMesh& mesh) {
  return fold_detail(mesh.positions, mesh.triangles,
                     make_topology(static_cast<int>(mesh.positions.size()), mesh.triangles));
}

TEST(FoldDetail, OfAFlatSheetIsZero) {
  EXPECT_NEAR(detail_of(make_mesh(Grid{{1, 1}, {21, 21}})), 0, 1e-12);
}

TEST(FoldDetail, OfACylinderIsHalfItsCurvature) {
  TriangleMesh mesh = make_mesh(Grid{{1, 1}, {81, 81}});
  const double r = 0.4;
  for (Vec3& x : mesh.positions) x = Vec3(r * std::sin(x[0] / r), x[1], r * std::cos(x[0] / r));
  EXPECT_NEAR(detail_of(mesh), 0.5 / r, 0.02 * 0.5 / r);
}

TEST(FoldDetail, CountsSmallFoldsMost) {
  const auto waves = [](double length) {
    TriangleMesh mesh = make_mesh(Grid{{1, 1}, {201, 11}});
    for (Vec3& x : mesh.positions) x[2] = 0.02 * length * std::sin(2 * 3.14159265 * x[0] / length);
    return detail_of(mesh);
  };
  EXPECT_NEAR(waves(0.1) / waves(0.5), 5, 0.3);
}

TEST(Rings, DifferInSizeAsAsked) {
  const TriangleMesh mesh = make_mesh(Rings{.inner = 0.05, .outer = 0.7051});
  EXPECT_EQ(mesh.triangles.size(), 2304u);
  const std::vector<double> areas = face_areas(mesh.positions, mesh.triangles);
  const auto [least, most] = std::minmax_element(areas.begin(), areas.end());
  EXPECT_NEAR(*most / *least, 160, 20);
  for (const Vec3& normal : face_normals(mesh.positions, mesh.triangles)) EXPECT_GT(normal.z(), 0.99);
  const TriangleMesh tent = make_mesh(Rings{.inner = 0.05, .outer = 0.7, .height = 0.3});
  EXPECT_FALSE(tent.flat);
  EXPECT_GT(tent.positions.front().z(), 0.2);
}

}  // namespace
}  // namespace heddle
