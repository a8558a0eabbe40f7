#include <heddle/core/random.h>
#include <heddle/geometry/signed_distance.h>
#include <heddle/geometry/tessellate.h>
#include <heddle/geometry/triangle.h>

#include <gtest/gtest.h>

#include <cmath>

#include "test_shapes.h"

namespace heddle {
namespace {

Vec3 random_point(Random& random, double range) {
  return {random.uniform(-range, range), random.uniform(-range, range), random.uniform(-range, range)};
}

double brute_force_distance(const SurfaceMesh& mesh, const Vec3& p) {
  double nearest = 1e9;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto corner = [&](int i) { return mesh.positions[static_cast<size_t>(i)]; };
    nearest = std::min(nearest, (closest_point(p, corner(a), corner(b), corner(c)).position - p).norm());
  }
  return nearest;
}

/// How far the triangles are from the exact surface: 0 for polyhedra, the sagitta for round ones.
double tessellation_error(const ShapeVariant& shape, const SurfaceMesh& mesh) {
  double error = 1e-12;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto corner = [&](int i) { return mesh.positions[static_cast<size_t>(i)]; };
    for (const Vec3& w : {Vec3(1, 1, 1), Vec3(1, 1, 0), Vec3(0, 1, 1), Vec3(1, 0, 1)}) {
      const Vec3 p = (w.x() * corner(a) + w.y() * corner(b) + w.z() * corner(c)) / w.sum();
      error = std::max(error, std::abs(signed_distance(shape, p).distance));
    }
  }
  return error;
}

TEST(SignedDistance, MatchesBruteForce) {
  Random random(1);
  for (const auto& [name, shape] : closed_shapes()) {
    const SurfaceMesh mesh = tessellate(shape);
    const double error = tessellation_error(shape, mesh);
    EXPECT_LT(error, 0.012 * bounding_radius(shape)) << name;
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = random_point(random, 1.2);
      EXPECT_NEAR(std::abs(signed_distance(shape, p).distance), brute_force_distance(mesh, p), 1.5 * error)
          << name << " at " << p.transpose();
    }
  }
}

TEST(SignedDistance, LeadsToTheSurface) {
  Random random(2);
  for (const auto& [name, shape] : closed_shapes())
    for (int i = 0; i < 5000; ++i) {
      const Vec3 p = random_point(random, 1.5);
      const SurfacePoint s = signed_distance(shape, p);
      ASSERT_NEAR(s.normal.norm(), 1.0, 1e-12) << name;
      ASSERT_NEAR(signed_distance(shape, p - s.distance * s.normal).distance, 0.0, 1e-12)
          << name << " at " << p.transpose();
    }
}

TEST(SignedDistance, NormalIsTheGradient) {
  Random random(3);
  const double h = 1e-6;
  for (const auto& [name, shape] : closed_shapes()) {
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vec3 p = random_point(random, 1.5);
      const Vec3 normal = signed_distance(shape, p).normal;
      Vec3 gradient;
      bool smooth = true;
      for (int axis = 0; axis < 3; ++axis) {
        const SurfacePoint up = signed_distance(shape, p + h * Vec3::Unit(axis));
        const SurfacePoint down = signed_distance(shape, p - h * Vec3::Unit(axis));
        gradient[axis] = (up.distance - down.distance) / (2 * h);
        smooth &= (up.normal - down.normal).norm() < 1e-3;
      }
      if (!smooth) continue;
      ++compared;
      ASSERT_LT((gradient - normal).norm(), 1e-6) << name << " at " << p.transpose();
    }
    EXPECT_GT(compared, 1950) << name;
  }
}

TEST(SignedDistance, SignTellsInsideFromOutside) {
  for (const auto& [name, shape] : closed_shapes()) {
    EXPECT_LT(signed_distance(shape, Vec3::Zero()).distance, 0) << name;
    EXPECT_GT(signed_distance(shape, Vec3(5, 5, 5)).distance, 0) << name;
  }
  EXPECT_EQ(signed_distance(Plane{}, Vec3(7, -3, -0.25)).distance, -0.25);
  EXPECT_EQ(signed_distance(Plane{}, Vec3(7, -3, -0.25)).normal, Vec3::UnitZ());
}

TEST(SignedDistance, KnownValues) {
  EXPECT_DOUBLE_EQ(signed_distance(Box{{2, 2, 2}, 0}, Vec3(4, 5, 1)).distance, 5.0);
  EXPECT_DOUBLE_EQ(signed_distance(Box{{2, 2, 2}, 0.5}, Vec3(3.5, 4.5, 0)).distance, 4.5);
  EXPECT_DOUBLE_EQ(signed_distance(Capsule{0.5, 2}, Vec3(0, 3, 5)).distance, 4.5);
  EXPECT_DOUBLE_EQ(signed_distance(Cylinder{1, 2, 0}, Vec3(0, -4, 5)).distance, 5.0);
  EXPECT_DOUBLE_EQ(signed_distance(Cylinder{1, 2, 0}, Vec3(0.9, 0, 0.5)).distance, -0.1);
}

TEST(SignedDistance, IsDefinedOnMedialAxes) {
  const double tiny = 4.9e-324;
  for (const auto& [name, shape] : closed_shapes())
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(tiny, 0, 0), Vec3(0, 0, 0.1), Vec3(0, 0, -0.6), Vec3(0, 0, 2),
                          Vec3(0.1, 0.1, 0.1), Vec3(0, tiny, -tiny), Vec3(-0.0, -0.0, -0.0)}) {
      const SurfacePoint s = signed_distance(shape, p);
      EXPECT_NEAR(s.normal.norm(), 1.0, 1e-12) << name << " at " << p.transpose();
      EXPECT_NEAR(signed_distance(shape, p - s.distance * s.normal).distance, 0.0, 1e-12) << name;
    }
}

}  // namespace
}  // namespace heddle
