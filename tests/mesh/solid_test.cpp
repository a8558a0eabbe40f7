#include <heddle/mesh/solid.h>

#include <heddle/core/random.h>
#include <heddle/geometry/signed_distance.h>
#include <heddle/geometry/tessellate.h>
#include <heddle/math/rigid_transform.h>

#include <gtest/gtest.h>

#include <numbers>

namespace heddle {

namespace {

TriangleMesh mesh_of(const ShapeVariant& shape, const RigidTransform& pose = {}) {
  const SurfaceMesh surface = tessellate(shape);
  TriangleMesh mesh{.positions = surface.positions, .triangles = surface.triangles};
  for (Vec3& p : mesh.positions) p = pose.point(p);
  return mesh;
}

}  // namespace

TEST(VolumeProperties, OfShapesAndTheirMeshesAgree) {
  for (const ShapeVariant& shape : {ShapeVariant(Sphere{0.3}), ShapeVariant(Box{{0.1, 0.3, 0.2}}),
                                    ShapeVariant(Capsule{0.1, 0.4}), ShapeVariant(Cylinder{0.2, 0.5})}) {
    const VolumeProperties exact = volume_properties(shape);
    const TriangleMesh mesh = mesh_of(shape);
    const VolumeProperties ours = volume_properties(mesh.positions, mesh.triangles);
    const bool is_box = std::holds_alternative<Box>(shape);  // others are drawn smaller than they are
    EXPECT_NEAR(ours.volume / exact.volume, 1, is_box ? 1e-12 : 0.03);
    EXPECT_LT(ours.centre.norm(), 1e-12);
    EXPECT_LT((ours.inertia - exact.inertia).norm(), (is_box ? 1e-12 : 0.05) * exact.inertia.norm());
  }
}

TEST(VolumeProperties, MoveAndTurnWithTheMesh) {
  const RigidTransform pose{rotation_from_degrees({20, -50, 70}), {3, -2, 5}};
  const Box box{{0.1, 0.3, 0.2}};
  const VolumeProperties exact = volume_properties(ShapeVariant(box));
  const TriangleMesh mesh = mesh_of(box, pose);
  const VolumeProperties ours = volume_properties(mesh.positions, mesh.triangles);
  const Mat3 turn = pose.rotation.toRotationMatrix();
  EXPECT_LT((ours.centre - pose.translation).norm(), 1e-12);
  EXPECT_LT((ours.inertia - turn * exact.inertia * turn.transpose()).norm(), 1e-10 * exact.inertia.norm());
}

TEST(Solid, MeshesKnowTheirInside) {
  const Box box{{0.2, 0.3, 0.1}};
  const auto solid = make_solid(mesh_of(box), "box");
  ASSERT_TRUE(solid.ok());
  Random random(1);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 point(random.uniform(-0.2, 0.2), random.uniform(-0.25, 0.25), random.uniform(-0.15, 0.15));
    EXPECT_NEAR((*solid)->distance(point), signed_distance(box, point).distance, 1e-12);
  }
  EXPECT_LT((*solid)->distance({0.09, 0.14, 0.04}), 0);  // near a corner
  EXPECT_GT((*solid)->distance({0.11, 0.16, 0.06}), 0);
}

TEST(Solid, TurnsMeshesThatLookInAndRefusesOpenOnes) {
  TriangleMesh mesh = mesh_of(Box{{0.2, 0.3, 0.1}});
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  const auto turned = make_solid(mesh, "box");
  ASSERT_TRUE(turned.ok());
  EXPECT_NEAR((*turned)->properties().volume, 0.006, 1e-12);
  EXPECT_LT((*turned)->distance(Vec3::Zero()), 0);
  mesh.triangles.pop_back();
  const auto open = make_solid(mesh, "box");
  ASSERT_FALSE(open.ok());
  EXPECT_NE(open.errors().text().find("close its holes"), std::string::npos);
  EXPECT_FALSE(make_solid(ShapeVariant(Plane{}), {}).ok());
}

}  // namespace heddle
