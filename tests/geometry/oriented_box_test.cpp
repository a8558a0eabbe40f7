#include <heddle/geometry/oriented_box.h>

#include <heddle/core/random.h>
#include <heddle/math/rigid_transform.h>

#include <gtest/gtest.h>

namespace heddle {

namespace {

OrientedBox random_box(Random& random) {
  const auto vector = [&](double low, double high) {
    return Vec3(random.uniform(low, high), random.uniform(low, high), random.uniform(low, high));
  };
  return {vector(-2, 2), rotation_from_degrees(vector(-180, 180)).toRotationMatrix(), vector(0.1, 1)};
}

/// By many rounds of projections, from many starts.
double distance_of(const OrientedBox& a, const OrientedBox& b) {
  Vec3 on_a = a.centre, on_b = b.centre;
  for (int k = 0; k < 3000; ++k) {
    on_b = nearest_point(b, on_a);
    on_a = nearest_point(a, on_b);
  }
  return (on_a - on_b).norm();
}

}  // namespace

TEST(OrientedBox, AreApartIsNeverTrueForNearerOnesAndRarelyFalseForOthers) {
  Random random(1);
  int unknown = 0;
  for (int k = 0; k < 1000; ++k) {
    const OrientedBox a = random_box(random), b = random_box(random);
    const double distance = distance_of(a, b);
    for (const double factor : {0.5, 0.9, 0.99}) {
      if (distance > 0.01 && !are_apart(a, b, factor * distance)) ++unknown;
    }
    EXPECT_FALSE(are_apart(a, b, 1.0001 * distance + 1e-9));
  }
  EXPECT_LT(unknown, 300);  // of 3000
}

TEST(OrientedBox, NearestPointIsInTheBox) {
  const OrientedBox box{{1, 0, 0}, rotation_from_degrees({0, 0, 90}).toRotationMatrix(), {0.5, 0.1, 0.2}};
  EXPECT_LT((nearest_point(box, {1, 2, 0}) - Vec3(1, 0.5, 0)).norm(), 1e-12);
  EXPECT_LT((nearest_point(box, {1.05, 0.2, 0.1}) - Vec3(1.05, 0.2, 0.1)).norm(), 1e-12);
}

}  // namespace heddle
