#include <heddle/math/rigid_transform.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

const RigidTransform kTurn{rotation_from_degrees({30, -50, 70}), {1, 2, 3}};
const RigidTransform kShift{rotation_from_degrees({0, 0, 90}), {0, -1, 0}};

TEST(RigidTransform, LocalUndoesWorld) {
  const Vec3 p(0.3, -0.4, 0.5);
  EXPECT_LT((kTurn.point_to_local(kTurn.point(p)) - p).norm(), 1e-15);
  EXPECT_LT((kTurn.direction_to_local(kTurn.direction(p)) - p).norm(), 1e-15);
}

TEST(RigidTransform, ProductAppliesTheInnerFirst) {
  const Vec3 p(0.3, -0.4, 0.5);
  EXPECT_LT(((kTurn * kShift).point(p) - kTurn.point(kShift.point(p))).norm(), 1e-15);
}

TEST(RigidTransform, DegreesTurnCounterClockwise) {
  EXPECT_LT((rotation_from_degrees({0, 0, 90}) * Vec3(1, 0, 0) - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(rotation_from_degrees({0, 0, 0}).w(), 1);
}

}  // namespace
}  // namespace heddle
