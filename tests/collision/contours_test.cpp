#include "test_meshes.h"

#include <heddle/collision/broad/contours.h>
#include <heddle/collision/broad/patch_test.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace heddle {
namespace {

BroadPhaseReport report_of(const CollisionCase& c, bool cones) {
  const auto tree = c.make("bvh", {.cones = cones});
  CandidatePairs pairs;
  tree->update(c.begin, c.end, c.margin);
  tree->find(pairs);
  return tree->report();
}

CollisionCase moved(CollisionCase c, const Vec3& by) {
  for (Vec3& x : c.end) x += by;
  return c;
}

TEST(Contours, AFlatSheetNeedsNoTestAtAll) {
  const CollisionCase c = flat_case(40);
  EXPECT_EQ(report_of(c, true).volume_tests, 0);
  EXPECT_EQ(report_of(c, true).flat_patches, 1);
  EXPECT_GT(report_of(c, false).volume_tests, 10000);
}

TEST(Contours, AFlatSheetInFastFlightNeedsNoTestEither) {
  EXPECT_EQ(report_of(moved(flat_case(40), {0.3, -0.2, 0.1}), true).volume_tests, 0);
}

TEST(Contours, AFoldedSheetIsTestedWhereItFoldsAndLies) {
  const BroadPhaseReport with = report_of(folded_case(60, 3), true),
                         without = report_of(folded_case(60, 3), false);
  EXPECT_GT(with.flat_patches, 0);
  EXPECT_LT(with.volume_tests, without.volume_tests);
}

/// The case of Fig. 15 of the Eurographics 2002 tutorial: all normals agree, and yet the patch meets itself.
TEST(Contours, APatchThatClosesUpInItsPlaneIsNotFlat) {
  for (const CollisionCase& c : collision_cases()) {
    if (c.name != "flat ring closes over itself" && c.name != "flat ring nearly closes" &&
        c.name != "ramp above itself")
      continue;
    const CandidatePairs near = near_pairs(c);
    EXPECT_FALSE(near.vertex_triangle.empty()) << c.name;
    const BvhTree tree = build_bvh_tree(c.surface, c.reference);
    const Contours contours(c.surface, tree);
    NormalCone narrow;  // as narrow as it is: the test must not rely on a wide one
    narrow.cosine = 0.99f;
    narrow.height = 1.0f;
    PatchScratch scratch;
    EXPECT_FALSE(contours[0].empty()) << c.name;
    EXPECT_FALSE(keeps_apart(contours[0], narrow, c.margin, c.begin, c.end, scratch)) << c.name;
  }
}

/// Is a patch with this contour, in the plane z = 0, proven to keep 0.02 m from itself?
bool keeps_apart(const std::vector<Vec3>& contour) {
  std::vector<int> loop;
  for (size_t i = 0; i < contour.size(); ++i) loop.push_back(static_cast<int>(i));
  NormalCone up;
  up.cosine = 1.0f;
  up.height = 0.1f;
  PatchScratch scratch;
  return keeps_apart(loop, up, 0.02, contour, contour, scratch);
}

/// A circle with a wedge cut out that points at its centre, so wide at the rim (m).
std::vector<Vec3> slit_disc(double width) {
  std::vector<Vec3> x;
  for (int i = 0; i <= 20; ++i) {
    const double angle = width / 2 + (2 * std::numbers::pi - width) * i / 20;
    x.emplace_back(std::cos(angle), std::sin(angle), 0.0);
  }
  x.emplace_back(0.3, 0.0, 0.0);
  return x;
}

TEST(Contours, ASlitMayNotBeNarrowerThanTheMargin) {
  EXPECT_TRUE(keeps_apart(slit_disc(0.4)));
  EXPECT_FALSE(keeps_apart(slit_disc(0.012)));
}

TEST(Contours, ThatGoTwiceAroundAreNotFlat) {
  const auto rounds = [](int count) {
    std::vector<Vec3> x;
    for (int i = 0; i < 10 * count; ++i) {
      const double angle = 2 * std::numbers::pi * i / 10, r = 1.0 + 0.3 * std::sin(0.5 * angle) * (count - 1);
      x.emplace_back(r * std::cos(angle), r * std::sin(angle), 0.0);
    }
    return x;
  };
  EXPECT_TRUE(keeps_apart(rounds(1)));
  EXPECT_FALSE(keeps_apart(rounds(2)));
}

TEST(Contours, OfTouchingPatchesJoin) {
  LoopJoiner joiner;
  //  3 - 2 - 5
  //  | a | b |
  //  0 - 1 - 4
  const std::vector<int> a{0, 1, 2, 3}, b{1, 4, 5, 2}, apart{6, 7, 8, 9}, corner{2, 7, 8};
  const auto loop = joiner.join(a, b, 10);
  EXPECT_EQ(std::vector<int>(loop.begin(), loop.end()), (std::vector<int>{0, 1, 4, 5, 2, 3}));
  EXPECT_TRUE(joiner.shared_edges());
  EXPECT_TRUE(joiner.join(a, apart, 10).empty());
  EXPECT_FALSE(joiner.shared_edges());
  EXPECT_TRUE(joiner.join(a, corner, 10).empty());
  EXPECT_FALSE(joiner.shared_edges());
}

TEST(Contours, OfPatchesThatEncloseAHoleDoNotJoin) {
  LoopJoiner joiner;
  // Around the hole 4 5 6: two patches that share the edges 1-4 and 2-6.
  const std::vector<int> a{0, 1, 4, 6, 2}, b{1, 3, 2, 6, 5, 4};
  EXPECT_TRUE(joiner.join(a, b, 7).empty());
  EXPECT_TRUE(joiner.shared_edges());
}

TEST(Contours, AWideMarginIsNeverFlat) {
  CollisionCase c = flat_case(10);
  c.margin = 0.08;  // more than the altitude of the triangles, 0.0707
  EXPECT_EQ(report_of(c, true).flat_patches, 0);
  const CandidatePairs near = near_pairs(c);
  EXPECT_FALSE(near.vertex_triangle.empty());
}

TEST(Contours, GoRoundThePatchOnce) {
  const CollisionCase c = flat_case(5);
  const BvhTree tree = build_bvh_tree(c.surface, c.reference);
  const Contours contours(c.surface, tree);
  ASSERT_EQ(contours[0].size(), 20u);
  double area = 0.0;
  for (size_t i = 0; i < 20; ++i) {
    const Vec3 &a = c.begin[static_cast<size_t>(contours[0][i])],
               &b = c.begin[static_cast<size_t>(contours[0][(i + 1) % 20])];
    area += 0.5 * (a.x() * b.y() - a.y() * b.x());
  }
  EXPECT_NEAR(area, 1.0, 1e-12);
}

}  // namespace
}  // namespace heddle
