#include <heddle/core/random.h>
#include <heddle/solve/nonlinear_cg.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace heddle::test {

/// With exact line searches a quadratic function of n unknowns needs n directions; here somewhat more.
TEST(NonlinearCg, FindsTheLowestPointOfAQuadraticFunction) {
  constexpr size_t kCount = 12;
  Random random(5);
  std::vector<double> weight, wanted, x(kCount, 0), scale;
  for (size_t i = 0; i < kCount; ++i) {
    weight.push_back(std::exp(random.uniform(0, 6)));
    wanted.push_back(random.uniform(-1, 1));
    scale.push_back(1 / (weight[i] * random.uniform(1, 3)));
  }
  const auto f = [&](std::span<const double> at, std::span<double> gradient) {
    double sum = 0;
    for (size_t i = 0; i < kCount; ++i) {
      gradient[i] = weight[i] * (at[i] - wanted[i]);
      sum += 0.5 * gradient[i] * (at[i] - wanted[i]);
    }
    return sum;
  };
  const NonlinearCgReport report = minimise({.iterations = 60, .tolerance = 1e-9}, f, scale, x);
  EXPECT_LT(report.iterations, 60);
  for (size_t i = 0; i < kCount; ++i) EXPECT_NEAR(x[i], wanted[i], 1e-6);
}

TEST(NonlinearCg, FollowsTheValleyOfRosenbrock) {
  std::vector<double> x{-1.2, 1}, scale{1e-3, 1e-3};
  const auto f = [](std::span<const double> at, std::span<double> gradient) {
    const double a = 1 - at[0], b = at[1] - at[0] * at[0];
    gradient[0] = -2 * a - 400 * at[0] * b;
    gradient[1] = 200 * b;
    return a * a + 100 * b * b;
  };
  const NonlinearCgReport report = minimise({.iterations = 500, .tolerance = 1e-10}, f, scale, x);
  EXPECT_LT(report.last, 1e-10) << report.iterations;
  EXPECT_NEAR(x[0], 1, 1e-4);
  EXPECT_NEAR(x[1], 1, 1e-4);
}

/// Values never grow, whatever the first step.
TEST(NonlinearCg, DescendsFromStepsThatAreMuchTooLong) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    std::vector<double> x{0.3, -0.4}, scales{scale, scale};
    const auto f = [](std::span<const double> at, std::span<double> gradient) {
      gradient[0] = 4 * std::pow(at[0], 3);
      gradient[1] = 2 * at[1];
      return std::pow(at[0], 4) + at[1] * at[1];
    };
    const NonlinearCgReport report = minimise({.iterations = 30}, f, scales, x);
    EXPECT_LT(report.last, report.first);
    if (scale == 1) EXPECT_LT(report.last, 1e-6);
  }
}

TEST(NonlinearCg, StaysWhereTheGradientVanishes) {
  std::vector<double> x{2}, scale{1};
  const auto f = [](std::span<const double>, std::span<double> gradient) {
    gradient[0] = 0;
    return 7.0;
  };
  const NonlinearCgReport report = minimise({}, f, scale, x);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(x[0], 2);
}

}  // namespace heddle::test
