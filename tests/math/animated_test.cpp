#include <heddle/math/animated.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

Animated<double> keys(const std::string& interpolation) {
  Animated<double> value;
  value.times = {1, 2, 4};
  value.values = {10, 20, 0};
  value.interpolation = interpolation;
  return value;
}

TEST(Animated, ConstantStaysForEver) {
  const Animated<double> value(3.0);
  EXPECT_TRUE(value.is_constant());
  for (const double time : {-1.0, 0.0, 1e9}) EXPECT_EQ(value.at(time), 3.0);
}

TEST(Animated, HoldsBeforeTheFirstAndAfterTheLastKey) {
  for (const char* interpolation : {"linear", "smooth"}) {
    EXPECT_EQ(keys(interpolation).at(0), 10);
    EXPECT_EQ(keys(interpolation).at(5), 0);
  }
}

TEST(Animated, PassesThroughItsKeys) {
  for (const char* interpolation : {"linear", "smooth"}) {
    EXPECT_EQ(keys(interpolation).at(1), 10);
    EXPECT_EQ(keys(interpolation).at(2), 20);
    EXPECT_EQ(keys(interpolation).at(4), 0);
  }
}

TEST(Animated, InterpolatesBetweenKeys) {
  EXPECT_DOUBLE_EQ(keys("linear").at(1.25), 12.5);
  EXPECT_DOUBLE_EQ(keys("linear").at(3), 10);
  EXPECT_DOUBLE_EQ(keys("smooth").at(1.5), 15);
  EXPECT_DOUBLE_EQ(keys("smooth").at(1.25), 10 + 10 * 0.15625);  // 3 s^2 - 2 s^3 at s = 1/4
}

TEST(Animated, SmoothPassesKeysAtRest) {
  constexpr double kStep = 1e-5;
  const Animated<double> value = keys("smooth");
  EXPECT_NEAR((value.at(2 + kStep) - value.at(2 - kStep)) / (2 * kStep), 0, 1e-3);
}

TEST(Motion, RotatesAboutTheOriginThenMoves) {
  Motion motion;
  motion.translation.times = {0, 1};
  motion.translation.values = {Vec3(0, 0, 0), Vec3(2, 0, 0)};
  motion.rotation = Animated<Vec3>(Vec3(0, 0, 90));
  EXPECT_LT((motion.at(0.5).point({1, 0, 0}) - Vec3(1, 1, 0)).norm(), 1e-14);
}

}  // namespace
}  // namespace heddle
