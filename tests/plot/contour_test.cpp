#include <heddle/plot/contour.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr int kSize = 61;

/// Distance from the middle, in cells.
std::vector<double> cone(double middle = 0.5 * (kSize - 1)) {
  std::vector<double> values;
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column)
      values.push_back(std::hypot(column - middle, row - 0.5 * (kSize - 1)));
  return values;
}

double enclosed_area(const std::vector<std::vector<Vec2>>& loops) {
  double sum = 0;
  for (const auto& loop : loops) {
    double twice = 0;
    for (size_t i = 0; i < loop.size(); ++i) {
      const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
      twice += a.x() * b.y() - a.y() * b.x();
    }
    sum += 0.5 * std::abs(twice);
  }
  return sum;
}

}  // namespace

TEST(Contour, OfACircleIsOneClosedLine) {
  const std::vector<double> values = cone();
  const auto lines = contour_lines({kSize, kSize, values}, 20);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].front(), lines[0].back());
  for (const Vec2& p : lines[0]) EXPECT_NEAR((p - Vec2(30, 30)).norm(), 20, 0.02);
  EXPECT_NEAR(enclosed_area(contour_loops({kSize, kSize, values}, 20)), 400 * std::numbers::pi, 2);
}

TEST(Contour, ThatLeavesTheGridIsOpenButItsLoopIsClosed) {
  const std::vector<double> values = cone(0);
  const auto lines = contour_lines({kSize, kSize, values}, 20);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].front(), lines[0].back());
  EXPECT_NEAR(lines[0].front().x(), 0, 1e-12);
  EXPECT_NEAR(lines[0].back().x(), 0, 1e-12);
  EXPECT_NEAR(enclosed_area(contour_loops({kSize, kSize, values}, 20)), 200 * std::numbers::pi, 2);
}

TEST(Contour, OfAFunctionThatIsBelowEverywhereIsTheBorder) {
  const std::vector<double> values(4 * 3, 0.5);
  EXPECT_TRUE(contour_lines({4, 3, values}, 1).empty());
  EXPECT_NEAR(enclosed_area(contour_loops({4, 3, values}, 1)), 6, 1e-9);
  EXPECT_TRUE(contour_loops({4, 3, values}, 0).empty());
}

TEST(Contour, SamplesWithoutAValueAreOutside) {
  std::vector<double> values(9, 0.0);
  values[4] = std::nan("");
  for (const auto& loop : contour_loops({3, 3, values}, 1))
    for (const Vec2& p : loop) EXPECT_TRUE(p.allFinite());
}

TEST(Contour, SaddlesHaveTwoLines) {
  const std::vector<double> values{0, 2, 2, 0};
  EXPECT_EQ(contour_lines({2, 2, values}, 0.5).size(), 2u);
  EXPECT_EQ(contour_lines({2, 2, values}, 1.5).size(), 2u);
}

}  // namespace heddle
