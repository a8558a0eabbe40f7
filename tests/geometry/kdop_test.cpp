#include <heddle/core/random.h>
#include <heddle/geometry/kdop.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

Vec3 random_point(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

template <class T>
class KDopTest : public testing::Test {};
template <int K>
struct Order {
  static constexpr int k = K;
};
using Orders = testing::Types<Order<6>, Order<8>, Order<14>, Order<18>>;
TYPED_TEST_SUITE(KDopTest, Orders);

TYPED_TEST(KDopTest, HoldsTheBallsAlongASegment) {
  constexpr int K = TypeParam::k;
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const Vec3 a = 100 * random_point(random), b = a + random_point(random);
    const double radius = random.uniform(0, 0.1);
    const KDop<K> dop = KDop<K>::of_segment(a, b, radius);
    const Vec3 inside = a + random.uniform() * (b - a) + radius * random_point(random).normalized();
    EXPECT_TRUE(dop.contains(a) && dop.contains(b) && dop.contains(inside));
    EXPECT_FALSE(dop.contains(b + Vec3::Constant(1.0)) && dop.contains(b - Vec3::Constant(1.0)));
    KDop<K> grown = KDop<K>::of_point(a);
    grown.inflate(radius);
    EXPECT_TRUE(grown.contains(a + radius * random_point(random).normalized()));
  }
}

/// (77) of the Eurographics 2002 tutorial.
TYPED_TEST(KDopTest, MergedPartsAreTheWhole) {
  constexpr int K = TypeParam::k;
  Random random(2);
  std::vector<KDop<K>> points;
  for (int i = 0; i < 40; ++i) points.push_back(KDop<K>::of_point(random_point(random)));
  const auto all = [&](size_t begin, size_t end) {
    KDop<K> whole = points[begin];
    for (size_t i = begin + 1; i < end; ++i) whole = merged(whole, points[i]);
    return whole;
  };
  EXPECT_EQ(merged(merged(all(0, 13), all(20, 40)), all(13, 20)), all(0, 40));
}

TYPED_TEST(KDopTest, OverlapsWhereverTheVolumesHaveACommonPoint) {
  constexpr int K = TypeParam::k;
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const Vec3 common = random_point(random);
    const auto around = [&] {
      const Vec3 d = random_point(random);
      return KDop<K>::of_segment(common - random.uniform() * d, common + random.uniform() * d, 0.0);
    };
    const KDop<K> a = around(), b = around();
    EXPECT_TRUE(overlap(a, b) && overlap(b, a));
    const KDop<K> far = KDop<K>::of_point(common + Vec3(3, 3.5, 4));
    EXPECT_FALSE(overlap(a, far) || overlap(far, a));
  }
}

TEST(KDop, MoreDirectionsTellMorePairsApart) {
  Random random(4);
  int apart6 = 0, apart14 = 0, apart18 = 0;
  for (int round = 0; round < 2000; ++round) {
    const Vec3 a = random_point(random), b = random_point(random), c = random_point(random),
               d = random_point(random);
    apart6 += !overlap(KDop<6>::of_segment(a, b, 0), KDop<6>::of_segment(c, d, 0));
    apart14 += !overlap(KDop<14>::of_segment(a, b, 0), KDop<14>::of_segment(c, d, 0));
    apart18 += !overlap(KDop<18>::of_segment(a, b, 0), KDop<18>::of_segment(c, d, 0));
  }
  EXPECT_GT(apart14, apart6);
  EXPECT_GT(apart18, apart6);
}

}  // namespace
}  // namespace heddle
