// Springs that buckle into an arc.

#include <heddle/forces/spring/buckling.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr double kRest = 0.04;

BucklingKernel one_spring(double stiffness, double linear) {
  BucklingKernel kernel;
  kernel.add({0, 1}, kRest, stiffness, linear);
  return kernel;
}

ElementState<2> at_length(double length) {
  ElementState<2> q;
  q.x = {Vec3(0, 0, 0), Vec3(length, 0, 0)};
  q.v = {Vec3(0, 0, 0), Vec3(0, 0, 0)};
  return q;
}

/// Pull on the first particle towards the second, N.
double tension(const BucklingKernel& kernel, double length) {
  std::array<Vec3, 2> force;
  kernel.force(0, at_length(length), force);
  return force[0][0];
}

}  // namespace

// Boxerman 2003, (3.9) against the arc that it stands for.
TEST(BucklingPull, FitsTheCircularArc) {
  for (double theta = 0.01; theta < 3.1; theta += 0.01) {
    const double s = std::sin(theta) / theta;
    const double exact = theta * theta / (std::cos(theta) - s);
    EXPECT_NEAR(buckling_pull(s), exact, 0.0165 * std::abs(exact)) << theta;
  }
  EXPECT_NEAR(buckling_pull(1), -3.028, 1e-12);
  EXPECT_NEAR(buckling_pull(0), -std::numbers::pi * std::numbers::pi, 0.16);
}

TEST(BucklingPull, SlopeAndIntegralBelongToIt) {
  for (double s = 0.05; s < 1; s += 0.1) {
    constexpr double kStep = 1e-5;
    EXPECT_NEAR((buckling_pull(s + kStep) - buckling_pull(s - kStep)) / (2 * kStep), buckling_pull_slope(s),
                1e-6);
    EXPECT_NEAR((buckling_pull_integral(s + kStep) - buckling_pull_integral(s - kStep)) / (2 * kStep),
                buckling_pull(s), 1e-6);
    EXPECT_GT(buckling_pull_slope(s), 0);
  }
}

TEST(Buckling, NeverPullsAndTakesTheWeakerPart) {
  const BucklingKernel kernel = one_spring(0.01, 50);
  for (double length = 0.0005; length < 1.2 * kRest; length += 0.0005) {
    const double s = length / kRest;
    const double expected = s >= 1 ? 0 : std::max(0.01 * buckling_pull(s), 50 * (length - kRest));
    EXPECT_NEAR(tension(kernel, length), expected, 1e-12) << s;
    EXPECT_LE(tension(kernel, length), 0);
  }
}

TEST(Buckling, HasNoJumps) {
  for (const double linear : {0.0, 20.0, 1e4}) {
    const BucklingKernel kernel = one_spring(0.01, linear);
    const double steepest = std::max({linear, 10 * 0.01 / kRest, 23.2 * 0.01 / kRest});
    for (double length = 1e-6; length < 1.1 * kRest; length += 1e-6) {
      const double change = std::abs(tension(kernel, length + 1e-6) - tension(kernel, length));
      ASSERT_LE(change, 1.01 * steepest * 1e-6) << length;
    }
  }
}

TEST(Buckling, TooSoftALinearPartIsMadeStiffer) {
  const BucklingKernel kernel = one_spring(0.01, 0);
  EXPECT_NEAR(tension(kernel, 0.99 * kRest), -0.1 * 0.01, 1e-12);
}

/// Bent into an arc of curvature kappa, a spring of k = 4 k_b / L^2 has the energy k_b L kappa^2 / 2.
TEST(Buckling, EnergyIsThatOfTheArc) {
  constexpr double kRigidity = 2e-7;  // k_b, N m2
  const BucklingKernel kernel = one_spring(4 * kRigidity / (kRest * kRest), 1e6);
  for (const double theta : {0.3, 0.8, 1.5, 2.5}) {
    const double curvature = 2 * theta / kRest, chord = kRest * std::sin(theta) / theta;
    const double exact = 0.5 * kRigidity * kRest * curvature * curvature;
    EXPECT_NEAR(kernel.energy(0, at_length(chord)), exact, 0.02 * exact) << theta;
  }
}

TEST(Buckling, WithoutStiffnessDoesNothing) {
  const BucklingKernel kernel = one_spring(0, 50);
  EXPECT_EQ(tension(kernel, 0.5 * kRest), 0);
  EXPECT_EQ(kernel.energy(0, at_length(0.5 * kRest)), 0);
}

}  // namespace heddle
