// The model that others are measured by is measured by itself: gradients, momenta and energy.

#include "strand_samples.h"

#include <heddle/strands/roll_angle_rod.h>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <cstdio>

namespace heddle::test {

namespace {

RollAngleRod crooked_rod(double speed) {
  std::vector<Vec3> points;
  std::vector<double> angles;
  Random random(5);
  for (int i = 0; i < 7; ++i) {
    points.push_back(Vec3(0.1 * i, 0, 0) + 0.03 * random_vector(random));
    if (i < 6) angles.push_back(random.uniform(-0.4, 0.4));
  }
  RollAngleRod rod(points, angles,
                   {.radius = 0.03, .density = 1000, .young = 3e5, .shear = 2e5, .stretch = 4e4}, {0, 0, -2});
  if (speed > 0)
    for (int k = 0; k < 200; ++k) rod.step(speed * 1e-5);
  return rod;
}

}  // namespace

TEST(RollAngleRod, ForcesAreTheNegativeGradientOfTheEnergy) {
  const RollAngleRod rod = crooked_rod(0);
  const std::vector<double> forces = rod.forces();
  constexpr double kWay = 1e-6;
  for (int i = 0; i < rod.node_count(); ++i)
    for (int k = 0; k < 3; ++k) {
      double value[2];
      for (const double sign : {-1.0, 1.0}) {
        RollAngleRod moved = rod;
        moved.set_node(i, rod.node(i) + sign * kWay * Vec3::Unit(k));
        value[sign > 0 ? 1 : 0] = moved.energies().sum();
      }
      EXPECT_NEAR(forces[static_cast<size_t>(4 * i + k)], -(value[1] - value[0]) / (2 * kWay), 1e-5);
    }
}

/// T = g'.M g' / 2, positive and symmetric, and as wide as 13.
TEST(RollAngleRod, MassMatrixIsThatOfTheKineticEnergy) {
  const RollAngleRod rod = crooked_rod(1);
  const std::vector<double> flat = rod.mass_matrix();
  const int n = 4 * rod.node_count() - 1;
  const Eigen::Map<const Eigen::MatrixXd> M(flat.data(), n, n);
  EXPECT_EQ((M - M.transpose()).norm(), 0);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues()[0], 0);
}

/// Nothing is left out: energy stays to second order of the step, far better than without the inertial
/// forces.
TEST(RollAngleRod, KeepsItsEnergy) {
  double drift[2];
  for (int k = 0; k < 2; ++k) {
    RollAngleRod rod = crooked_rod(0);
    const double before = rod.energies().sum(), dt = k == 0 ? 4e-5 : 1e-5;
    double worst = 0;
    for (int step = 0; step < 0.2 / dt; ++step) {
      ASSERT_TRUE(rod.step(dt));
      worst = std::max(worst, std::abs(rod.energies().sum() - before));
    }
    drift[k] = worst / rod.energies().kinetic;
  }
  std::printf("energy off by at most %.1e and %.1e of that of motion\n", drift[0], drift[1]);
  EXPECT_LT(drift[0], 0.1);
  EXPECT_LT(drift[1], 0.35 * drift[0]);
}

/// A heavy pendulum that is stiff: the period of a rigid rod.
TEST(RollAngleRod, SwingsAsARigidRod) {
  std::vector<Vec3> points;
  for (int i = 0; i <= 10; ++i) points.emplace_back(0.1 * i, 0, 0);
  const double angle = 0.05;
  RollAngleRod rod(points, std::vector<double>(10, 0.0),
                   {.radius = 0.02, .density = 1300, .young = 1e9, .shear = 1e9, .stretch = 1e8},
                   9.81 * Vec3(std::cos(angle), 0, -std::sin(angle)));
  rod.hold_node(0);
  const double dt = 1e-5, middle = -std::sin(angle);
  int k = 0;
  while (rod.node(10)[2] > middle && k < 100000) {
    ASSERT_TRUE(rod.step(dt));
    ++k;
  }
  const double expected = 2 * M_PI * std::sqrt(2 / (3 * 9.81));
  std::printf("period %.5f s, rigid %.5f s\n", 4 * k * dt, expected);
  EXPECT_NEAR(4 * k * dt, expected, 0.005 * expected);
}

}  // namespace heddle::test
