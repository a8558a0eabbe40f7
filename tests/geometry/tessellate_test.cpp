#include <heddle/geometry/signed_distance.h>
#include <heddle/geometry/tessellate.h>
#include <heddle/geometry/triangle.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "test_shapes.h"

namespace heddle {
namespace {

double volume(const SurfaceMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto corner = [&](int i) { return mesh.positions[static_cast<size_t>(i)]; };
    sum += corner(a).dot(corner(b).cross(corner(c))) / 6;
  }
  return sum;
}

/// Number of directed sides that lack their opposite or occur twice.
int open_sides(const SurfaceMesh& mesh) {
  std::map<std::pair<int, int>, int> sides;
  for (const Triangle& t : mesh.triangles)
    for (size_t i = 0; i < 3; ++i) ++sides[{t[i], t[(i + 1) % 3]}];
  int open = 0;
  for (const auto& [side, count] : sides)
    if (count != 1 || !sides.contains({side.second, side.first})) ++open;
  return open;
}

TEST(Tessellate, IsClosedAndOnTheSurface) {
  for (const auto& [name, shape] : closed_shapes()) {
    const SurfaceMesh mesh = tessellate(shape);
    EXPECT_EQ(open_sides(mesh), 0) << name;
    for (const Vec3& position : mesh.positions)
      ASSERT_NEAR(signed_distance(shape, position).distance, 0, 1e-12) << name;
  }
}

TEST(Tessellate, FacesLookOutward) {
  for (const auto& [name, shape] : closed_shapes()) {
    const SurfaceMesh mesh = tessellate(shape);
    for (const auto& [a, b, c] : mesh.triangles) {
      const auto corner = [&](int i) { return mesh.positions[static_cast<size_t>(i)]; };
      const Vec3 normal = triangle_normal(corner(a), corner(b), corner(c));
      const Vec3 centre = (corner(a) + corner(b) + corner(c)) / 3;
      ASSERT_GT(normal.dot(signed_distance(shape, centre).normal), 0.9)
          << name << " at " << centre.transpose();
    }
  }
}

TEST(Tessellate, HasTheRightVolume) {
  const double ball = 4.0 / 3.0 * M_PI;
  EXPECT_NEAR(volume(tessellate(Sphere{0.5})), ball * 0.125, 0.02 * ball * 0.125);
  EXPECT_NEAR(volume(tessellate(Box{{1, 2, 3}, 0})), 6.0, 1e-12);
  const double capsule = M_PI * 0.04 * 1.5 + ball * 0.008;
  EXPECT_NEAR(volume(tessellate(Capsule{0.2, 1.5})), capsule, 0.02 * capsule);
  EXPECT_NEAR(volume(tessellate(Cylinder{0.5, 2, 0})), M_PI * 0.5, 0.01 * M_PI);
}

TEST(Tessellate, SphereHasAboutTwoThousandTriangles) {
  EXPECT_NEAR(static_cast<double>(tessellate(Sphere{}).triangles.size()), 2000.0, 100.0);
}

TEST(Tessellate, PlaneIsASquareFacingUp) {
  const SurfaceMesh mesh = tessellate(Plane{3.0});
  double area = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto corner = [&](int i) { return mesh.positions[static_cast<size_t>(i)]; };
    area += 0.5 * area_vector_twice(corner(a), corner(b), corner(c)).z();
  }
  EXPECT_NEAR(area, 9.0, 1e-12);
}

}  // namespace
}  // namespace heddle
