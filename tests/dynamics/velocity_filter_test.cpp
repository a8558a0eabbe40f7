#include <heddle/dynamics/velocity_filter.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

const Vec3 kX(1, 0, 0), kY(0, 1, 0), kZ(0, 0, 1);

/// The velocity of particle 1 of 3 after the filter; the others must not change.
Vec3 imposed(const VelocityFilter& filter, const Vec3& velocity) {
  std::vector<Vec3> v{Vec3(1, 2, 3), velocity, Vec3(4, 5, 6)};
  filter.impose(v);
  EXPECT_EQ(v[0], Vec3(1, 2, 3));
  EXPECT_EQ(v[2], Vec3(4, 5, 6));
  return v[1];
}

TEST(VelocityFilter, EmptyChangesNothing) {
  const VelocityFilter filter(3);
  EXPECT_EQ(imposed(filter, {7, 8, 9}), Vec3(7, 8, 9));
  EXPECT_EQ(filter.constrained_count(), 0);
}

TEST(VelocityFilter, FixSetsAllComponents) {
  VelocityFilter filter(3);
  filter.fix(1, {1, 0, -1});
  EXPECT_EQ(imposed(filter, {7, 8, 9}), Vec3(1, 0, -1));
  EXPECT_EQ(filter.fixed_particles(), std::vector{1});
}

TEST(VelocityFilter, PrescribeLeavesTheTangentFree) {
  VelocityFilter filter(3);
  filter.prescribe(1, kZ, -2);
  EXPECT_EQ(imposed(filter, {7, 8, 9}), Vec3(7, 8, -2));
  EXPECT_TRUE(filter.fixed_particles().empty());
}

TEST(VelocityFilter, ObliqueDirectionsAreBothMet) {
  VelocityFilter filter(3);
  const Vec3 oblique = (kZ + kX).normalized();
  filter.prescribe(1, kZ, 1);
  filter.prescribe(1, oblique, 3);
  const Vec3 v = imposed(filter, {7, 8, 9});
  EXPECT_NEAR(v.dot(kZ), 1, 1e-14);
  EXPECT_NEAR(v.dot(oblique), 3, 1e-14);
  EXPECT_NEAR(v.y(), 8, 1e-14);
  EXPECT_EQ(filter.constrained_count(), 1);
}

TEST(VelocityFilter, ThreeDirectionsFixTheParticle) {
  VelocityFilter filter(3);
  filter.prescribe(1, kX, 1);
  filter.prescribe(1, kY, 2);
  filter.prescribe(1, kZ, 3);
  EXPECT_LT((imposed(filter, {7, 8, 9}) - Vec3(1, 2, 3)).norm(), 1e-14);
  EXPECT_EQ(filter.fixed_particles(), std::vector{1});
}

TEST(VelocityFilter, TheFirstOfTwoEqualDirectionsWins) {
  VelocityFilter filter(3);
  filter.prescribe(1, kZ, 1);
  filter.prescribe(1, (kZ + 0.01 * kX).normalized(), 5);
  EXPECT_LT((imposed(filter, {7, 8, 9}) - Vec3(7, 8, 1)).norm(), 1e-14);
}

TEST(VelocityFilter, FixWinsOverDirectionsBeforeAndAfter) {
  VelocityFilter filter(3);
  filter.prescribe(1, kZ, 1);
  filter.fix(1, {4, 5, 6});
  filter.prescribe(1, kX, -1);
  EXPECT_EQ(imposed(filter, {7, 8, 9}), Vec3(4, 5, 6));
}

TEST(VelocityFilter, ProjectionRemovesWhatIsPrescribed) {
  VelocityFilter filter(3);
  filter.fix(0, kX);
  filter.prescribe(1, kZ, 1);
  std::vector<Vec3> values(3, Vec3(1, 1, 1));
  filter.projection().apply(values);
  EXPECT_EQ(values[0], Vec3(0, 0, 0));
  EXPECT_EQ(values[1], Vec3(1, 1, 0));
  EXPECT_EQ(values[2], Vec3(1, 1, 1));
}

TEST(VelocityFilter, ClearForgetsEverything) {
  VelocityFilter filter(3);
  filter.fix(1, kX);
  filter.clear();
  EXPECT_EQ(imposed(filter, {7, 8, 9}), Vec3(7, 8, 9));
  filter.prescribe(1, kZ, 0);
  EXPECT_EQ(imposed(filter, {7, 8, 9}), Vec3(7, 8, 0));
}

}  // namespace
}  // namespace heddle
