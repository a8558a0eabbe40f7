#include "pair_motions.h"

#include <heddle/geometry/proximity.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

using ProximityOf = Proximity (*)(const PairPoints& x);

double size_of(const PairPoints& x) {
  double size = 0;
  for (const Vec3& point : x) size = std::max(size, (point - x[0]).norm());
  return size;
}

/// The weights give points of both sides, so the distance is not too small; the gap along the normal is not
/// less, so it is not too large.
void check_nearest(const PairPoints& x, const Proximity& proximity, size_t first, double tolerance) {
  double sum_first = 0, sum_second = 0;
  Vec3 difference = Vec3::Zero();
  for (size_t i = 0; i < 4; ++i) {
    (i < first ? sum_first : sum_second) += proximity.weights[i];
    ASSERT_GE((i < first ? 1 : -1) * proximity.weights[i], 0);
    difference += proximity.weights[i] * (x[i] - x[0]);
  }
  ASSERT_NEAR(sum_first, 1, 1e-15);
  ASSERT_NEAR(sum_second, -1, 1e-15);
  ASSERT_NEAR(proximity.normal.norm(), 1, 1e-14);
  ASSERT_NEAR((difference - proximity.distance * proximity.normal).norm(), 0, tolerance);
  double gap = HUGE_VAL;
  for (size_t i = 0; i < first; ++i)
    for (size_t j = first; j < 4; ++j) gap = std::min(gap, proximity.normal.dot(x[i] - x[j]));
  ASSERT_GE(gap, proximity.distance - tolerance);
}

struct Case {
  const char* name;
  ProximityOf of;
  size_t first;
};

class ProximityTest : public testing::TestWithParam<Case> {};

TEST_P(ProximityTest, IsTheNearestOfRandomPairs) {
  Random random(3);
  for (int i = 0; i < 100000; ++i) {
    const PairPoints x = test::random_motion(random).from;
    ASSERT_NO_FATAL_FAILURE(check_nearest(x, GetParam().of(x), GetParam().first, 1e-13));
  }
}

TEST_P(ProximityTest, IsTheNearestOfDegeneratePairs) {
  Random random(4);
  for (int i = 0; i < 100000; ++i) {
    const test::PairMotion motion = test::degenerate_motion(random);
    if (motion.kind == "needle") continue;
    // Directions are known to the square root of a rounding over short distances.
    const double tolerance = 1e-7 * size_of(motion.from);
    ASSERT_NO_FATAL_FAILURE(
        check_nearest(motion.from, GetParam().of(motion.from), GetParam().first, tolerance))
        << motion.kind;
  }
}

TEST_P(ProximityTest, DoesNotCareWhereThePairIs) {
  Random random(5);
  for (int i = 0; i < 10000; ++i) {
    PairPoints here = test::random_motion(random).from, there;
    const Vec3 origin(1 << 20, -(1 << 21), 1 << 19);
    for (size_t k = 0; k < 4; ++k) {
      there[k] = here[k] + origin;
      here[k] = there[k] - origin;  // exact
    }
    ASSERT_EQ(GetParam().of(here).distance, GetParam().of(there).distance);
    ASSERT_EQ(GetParam().of(here).normal, GetParam().of(there).normal);
  }
}

TEST_P(ProximityTest, AnswersForCollapsedPairs) {
  Random random(6);
  for (int shape = 0; shape < 81; ++shape)
    for (const double scale : {1.0, 1e-30, 1e30}) {
      // Each point is one of three, in all ways.
      const std::array<Vec3, 3> places{Vec3(0.25, 0.5, 0.75) * scale, Vec3(1, 0, 0) * scale,
                                       Vec3(1, 0, 2) * scale};
      PairPoints x;
      for (int k = 0, code = shape; k < 4; ++k, code /= 3)
        x[static_cast<size_t>(k)] = places[static_cast<size_t>(code % 3)];
      const Proximity proximity = GetParam().of(x);
      ASSERT_NO_FATAL_FAILURE(check_nearest(x, proximity, GetParam().first, 1e-14 * scale)) << shape;
    }
}

INSTANTIATE_TEST_SUITE_P(Pairs, ProximityTest,
                         testing::Values(Case{"vertex_triangle", vertex_triangle_proximity, 1},
                                         Case{"edge_edge", edge_edge_proximity, 2}),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Proximity, KnownValues) {
  const Proximity face =
      vertex_triangle_proximity({Vec3(0.25, 0.25, -2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)});
  EXPECT_DOUBLE_EQ(face.distance, 2);
  EXPECT_EQ(face.normal, -Vec3::UnitZ());
  EXPECT_EQ(face.weights, (std::array{1.0, -0.5, -0.25, -0.25}));
  const Proximity edges =
      edge_edge_proximity({Vec3(0, 0, 1), Vec3(2, 0, 1), Vec3(0.5, -1, 0), Vec3(0.5, 3, 0)});
  EXPECT_DOUBLE_EQ(edges.distance, 1);
  EXPECT_EQ(edges.normal, Vec3::UnitZ());
  EXPECT_EQ(edges.weights, (std::array{0.75, 0.25, -0.75, -0.25}));
}

}  // namespace
}  // namespace heddle
