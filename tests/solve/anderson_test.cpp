#include <heddle/solve/anderson.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {
namespace {

/// r <- M r + b with M = diag(m); its fixed point is b / (1 - m).
struct Linear {
  std::vector<double> m, b;

  explicit Linear(int n) {
    for (int i = 0; i < n; ++i) {
      m.push_back(0.99 - 0.9 * i / n);
      b.push_back(std::sin(1 + 3.0 * i));
    }
  }
  /// The largest error after so many iterations with some memory.
  double error(int iterations, int memory) const {
    Anderson anderson(memory, 1);
    anderson.begin(std::vector<double>(m.size(), 2.0));
    std::vector<double> r(m.size(), 0), image(m.size()), residual(m.size());
    for (int k = 0; k < iterations; ++k) {
      for (size_t i = 0; i < r.size(); ++i) {
        image[i] = m[i] * r[i] + b[i];
        residual[i] = image[i] - r[i];
      }
      anderson.next(residual, image);
      r = image;
    }
    double largest = 0;
    for (size_t i = 0; i < r.size(); ++i) largest = std::max(largest, std::abs(r[i] - b[i] / (1 - m[i])));
    return largest;
  }
};

TEST(Anderson, SolvesLinearProblemsInAsManyStepsAsTheyHaveModes) {
  const Linear six(6);
  EXPECT_GT(six.error(8, 1), 1);
  EXPECT_LT(six.error(8, 6), 1e-5);
}

TEST(Anderson, SavesIterationsWithAShortMemory) {
  const Linear many(200);
  const double plain = many.error(60, 1), fast = many.error(60, 6);
  EXPECT_LT(fast, 0.1 * plain);
}

TEST(Anderson, RetreatsToTheImageItWasGiven) {
  Anderson anderson(3, 2);
  anderson.begin(std::vector<double>{1.0});
  std::vector<double> image{1, 2};
  EXPECT_DOUBLE_EQ(anderson.next(std::vector<double>{3, 4}, image), 5);
  EXPECT_FALSE(anderson.is_ahead());
  EXPECT_EQ(image, (std::vector<double>{1, 2}));
  image = {5, 7};
  anderson.next(std::vector<double>{1, 1}, image);
  EXPECT_TRUE(anderson.is_ahead());
  EXPECT_NE(image, (std::vector<double>{5, 7}));
  anderson.retreat(image);
  EXPECT_EQ(image, (std::vector<double>{5, 7}));
  EXPECT_FALSE(anderson.is_ahead());
}

}  // namespace
}  // namespace heddle
