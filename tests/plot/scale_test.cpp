#include <heddle/plot/scale.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {

namespace {

std::vector<std::string> labels(const Scale& scale) {
  std::vector<std::string> result;
  for (const Tick& tick : scale.ticks())
    if (!tick.label.empty()) result.push_back(tick.label);
  return result;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST(Scale, LinearTicksAreRoundNumbers) {
  EXPECT_EQ(labels(Scale({.low = 0, .high = 10}, {})), (Labels{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(Scale({.low = -0.5, .high = 0.5}, {})), (Labels{"-0.4", "-0.2", "0.0", "0.2", "0.4"}));
}

TEST(Scale, SmallAndLargeNumbersShareAPowerOfTen) {
  const Scale small({.title = "step", .unit = "s", .low = 0, .high = 5e-4}, {});
  EXPECT_EQ(labels(small), (Labels{"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(small.caption(), "step (10⁻⁴ s)");
  EXPECT_EQ(Scale({.title = "n", .low = 0, .high = 3e7}, {}).caption(), "n (10⁷)");
  EXPECT_EQ(Scale({.title = "n", .low = 0, .high = 30}, {}).caption(), "n");
}

TEST(Scale, LogarithmicTicksAreDecades) {
  const Scale scale({.logarithmic = true, .low = 1e-3, .high = 1e2}, {});
  EXPECT_EQ(labels(scale), (Labels{"10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹", "10²"}));
  EXPECT_NEAR(*scale.place(1e-3), 0, 1e-12);
  EXPECT_NEAR(*scale.place(std::sqrt(1e-1)), 0.5, 1e-12);
  EXPECT_FALSE(scale.place(0));
  EXPECT_FALSE(scale.place(-1));
  // Eight small ticks within each of five decades.
  EXPECT_EQ(scale.ticks().size(), 6u + 5 * 8);
}

TEST(Scale, FewDecadesGetMoreLabelsAndManyFewer) {
  EXPECT_EQ(labels(Scale({.logarithmic = true, .low = 1, .high = 10}, {})),
            (Labels{"10⁰", "2·10⁰", "5·10⁰", "10¹"}));
  EXPECT_LE(labels(Scale({.logarithmic = true, .low = 1e-15, .high = 1e15}, {})).size(), 9u);
}

TEST(Scale, ShowsAllValuesThatCanBeDrawn) {
  const std::vector<double> values{3, std::nan(""), -1, 7, HUGE_VAL};
  const Scale linear({}, values), logarithmic({.logarithmic = true}, values);
  EXPECT_LT(linear.low(), -1);
  EXPECT_GT(linear.high(), 7);
  EXPECT_LT(linear.high(), 8);
  EXPECT_LT(logarithmic.low(), 3);
  EXPECT_GT(logarithmic.low(), 2);
}

TEST(Scale, RangesWithoutLengthAreWidened) {
  for (const std::vector<double>& values : {std::vector<double>{}, {5}, {0, 0}, {-2, -2}})
    for (const bool logarithmic : {false, true}) {
      const Scale scale({.logarithmic = logarithmic}, values);
      EXPECT_LT(scale.low(), scale.high());
      EXPECT_GE(labels(scale).size(), 1u);
    }
}

}  // namespace heddle
