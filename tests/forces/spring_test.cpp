// Single springs and dampers.

#include <heddle/forces/spring/spring.h>

#include <heddle/core/random.h>

#include <gtest/gtest.h>
#include <Eigen/Dense>

namespace heddle {

namespace {

constexpr double kRest = 0.5, kStiffness = 30, kDamping = 4;

SpringKernel one_spring(const SpringRules& rules, double damping = kDamping) {
  SpringKernel kernel("springs", rules);
  kernel.add({0, 1}, kRest, kStiffness, damping);
  return kernel;
}

Vec3 random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// A spring of that length in a random direction, with random velocities.
ElementState<2> spring_of_length(double length, std::uint64_t seed) {
  Random random(seed);
  ElementState<2> q;
  q.x[0] = random_vector(random);
  q.x[1] = q.x[0] + length * random_vector(random).normalized();
  q.v = {random_vector(random), random_vector(random)};
  return q;
}

Vec3 first_force(const SpringKernel& kernel, const ElementState<2>& q) {
  std::array<Vec3, 2> force;
  kernel.force(0, q, force);
  EXPECT_EQ(force[1], -force[0]);
  return force[0];
}

double elongation(const ElementState<2>& q) {
  return (q.v[1] - q.v[0]).dot((q.x[1] - q.x[0]).normalized());
}

Mat3 block_of(const SpringKernel& kernel, const ElementState<2>& q, const ElementScales& scales) {
  ElementSystem<2> out;
  kernel.linearise(0, q, scales, out);
  return out.a[0][0];
}

/// Derivative of the force on the first particle by the position of the second.
Mat3 numeric_derivative(const SpringKernel& kernel, ElementState<2> q) {
  constexpr double kStep = 1e-6;
  Mat3 result;
  for (int c = 0; c < 3; ++c) {
    ElementState<2> above = q, below = q;
    above.x[1][c] += kStep;
    below.x[1][c] -= kStep;
    result.col(c) = (first_force(kernel, above) - first_force(kernel, below)) / (2 * kStep);
  }
  return result;
}

}  // namespace

TEST(Spring, PullsByHookesLaw) {
  const SpringKernel kernel = one_spring({}, 0);
  ElementState<2> q = spring_of_length(0.6, 1);
  const Vec3 direction = (q.x[1] - q.x[0]).normalized();
  EXPECT_NEAR((first_force(kernel, q) - 0.1 * kStiffness * direction).norm(), 0, 1e-13);
  EXPECT_NEAR(kernel.energy(0, q), 0.5 * kStiffness * 0.01, 1e-13);
  q = spring_of_length(0.4, 2);
  EXPECT_LT(first_force(kernel, q).dot(q.x[1] - q.x[0]), 0);
}

TEST(Spring, ThatOnlyPullsIsSlackBelowItsRestLength) {
  const SpringKernel kernel = one_spring({.resists_compression = false});
  const ElementState<2> slack = spring_of_length(0.49, 3), tight = spring_of_length(0.51, 3);
  EXPECT_EQ(first_force(kernel, slack), Vec3(0, 0, 0));
  EXPECT_EQ(kernel.energy(0, slack), 0);
  EXPECT_EQ(block_of(kernel, slack, {1, 1}), Mat3(Mat3::Zero()));
  EXPECT_FALSE(kernel.is_active(0, slack));
  EXPECT_TRUE(kernel.is_active(0, tight));
  EXPECT_GT(kernel.energy(0, tight), 0);
}

TEST(Spring, PositiveFormIsExactUnderTensionAndPositiveUnderPressure) {
  const SpringKernel kernel = one_spring({}, 0);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ElementState<2> pulled = spring_of_length(0.55, seed), pressed = spring_of_length(0.4, seed);
    const Mat3 exact = block_of(kernel, pulled, {1, 0, JacobianForm::exact});
    EXPECT_LE((block_of(kernel, pulled, {1, 0, JacobianForm::positive}) - exact).norm(),
              1e-14 * exact.norm());
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(
        block_of(kernel, pressed, {1, 0, JacobianForm::positive}));
    EXPECT_GE(eigen.eigenvalues()[0], -1e-12);
    EXPECT_NEAR(eigen.eigenvalues()[2], kStiffness, 1e-12);
    EXPECT_LT(Eigen::SelfAdjointEigenSolver<Mat3>(block_of(kernel, pressed, {1, 0, JacobianForm::exact}))
                  .eigenvalues()[0],
              -1);
  }
}

// Boxerman 2003, (3.16), with moving ends: the battery looks at springs at rest only.
TEST(Spring, ExactFormHasTheDamperByPosition) {
  for (const bool shortening : {true, false}) {
    const SpringKernel kernel = one_spring({.damps_shortening = shortening});
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const ElementState<2> q = spring_of_length(0.6, seed);
      const Mat3 exact = block_of(kernel, q, {1, 0, JacobianForm::exact});
      EXPECT_LE((numeric_derivative(kernel, q) - exact).norm(), 1e-7 * exact.norm()) << seed;
    }
  }
}

// Boxerman 2003, 3.3; Eurographics 2002, 1.1.1: only the free damper takes energy from rotation.
TEST(Damper, ProjectedOneLeavesRotationAlone) {
  ElementState<2> q = spring_of_length(kRest, 4);
  const Vec3 spin(1, -2, 3);
  for (size_t i = 0; i < 2; ++i) q.v[i] = spin.cross(q.x[i]) + Vec3(4, 5, 6);
  EXPECT_NEAR(first_force(one_spring({}), q).norm(), 0, 1e-12);
  const Vec3 rate = q.v[1] - q.v[0];
  EXPECT_NEAR((first_force(one_spring({.projected_damper = false}), q) - kDamping * rate).norm(), 0, 1e-12);
  EXPECT_GT(rate.norm(), 0.1);
}

TEST(Damper, ProjectedOneIsTheFreeOneAlongTheSpring) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ElementState<2> q = spring_of_length(kRest, seed);
    const Vec3 direction = (q.x[1] - q.x[0]).normalized();
    const Vec3 projected = first_force(one_spring({}), q),
               free = first_force(one_spring({.projected_damper = false}), q);
    EXPECT_NEAR((projected - direction * direction.dot(free)).norm(), 0, 1e-12);
  }
}

TEST(Damper, SwitchesSayWhenItActs) {
  const SpringRules only_pulls{.resists_compression = false};
  SpringRules elongating = only_pulls, also_slack = only_pulls;
  elongating.damps_shortening = false;
  also_slack.damps_slack = true;
  int growing = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ElementState<2> slack = spring_of_length(0.4, seed), tight = spring_of_length(kRest * 1.0001, seed);
    const bool grows = elongation(tight) > 0;
    growing += grows;
    EXPECT_EQ(first_force(one_spring(only_pulls), slack).norm(), 0);
    EXPECT_GT(first_force(one_spring(also_slack), slack).norm(), 0);
    const double elastic = kStiffness * kRest * 0.0001;
    const Vec3 direction = (tight.x[1] - tight.x[0]).normalized();
    const double expected = elastic + (grows ? kDamping * elongation(tight) : 0);
    EXPECT_NEAR(first_force(one_spring(elongating), tight).dot(direction), expected, 1e-12);
  }
  EXPECT_GT(growing, 0);
  EXPECT_LT(growing, 20);
}

TEST(Spring, OfNoLengthHasNoForce) {
  ElementState<2> q = spring_of_length(0.6, 5);
  q.x[1] = q.x[0];
  EXPECT_TRUE(first_force(one_spring({}), q).allFinite());
  EXPECT_TRUE(block_of(one_spring({}), q, {1, 1, JacobianForm::exact}).allFinite());
}

TEST(Spring, IsActiveUnlessItIsSlack) {
  const auto term = make_term(one_spring({.resists_compression = false}), 2);
  EXPECT_TRUE(term->has_slack());
  EXPECT_EQ(term->shapes().shape, ElementShape::line);
  EXPECT_EQ(term->shapes().corners, (std::vector{0, 1}));
  std::vector<Vec3> x{{0, 0, 0}, {0.4, 0, 0}};
  const std::vector<Vec3> v(2, Vec3::Zero());
  std::array<char, 1> active{1};
  term->find_active({x, v, 0}, active);
  EXPECT_EQ(active[0], 0);
  x[1] = {0.6, 0, 0};
  term->find_active({x, v, 0}, active);
  EXPECT_EQ(active[0], 1);
}

}  // namespace heddle
