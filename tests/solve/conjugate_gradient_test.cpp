#include "random_system.h"

#include <heddle/solve/conjugate_gradient.h>

#include <gtest/gtest.h>

#include <limits>

namespace heddle::test {
namespace {

class ConjugateGradientTest : public testing::TestWithParam<std::string> {
 protected:
  ConjugateGradientReport solve(RandomSystem& system, const ConjugateGradientSettings& settings) {
    ConjugateGradient solver(make_preconditioner(GetParam()));
    return solver.solve(system.matrix, system.b, system.b, system.projection, settings, system.x);
  }
};

INSTANTIATE_TEST_SUITE_P(All, ConjugateGradientTest, testing::Values("fused", "block_jacobi", "multigrid"),
                         [](const auto& test) { return test.param; });

/// x_0 + S y with S (b - A x) = 0, by a dense factorisation of S A S + (I - S).
Eigen::VectorXd constrained_solution(const RandomSystem& system) {
  const Eigen::MatrixXd a = dense(system.matrix);
  const Eigen::MatrixXd s = dense(system.projection, system.size());
  const Eigen::MatrixXd filled = s * a * s + Eigen::MatrixXd::Identity(s.rows(), s.cols()) - s;
  const Eigen::VectorXd start = flat(system.x);
  return start + filled.ldlt().solve(s * (flat(system.b) - a * start));
}

TEST_P(ConjugateGradientTest, AgreesWithADenseConstrainedSolve) {
  unsigned seed = 1;
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 1}, {5, 4}, {16, 15}})
    for (double stiffness : {0.0, 10.0, 1e4})
      for (double constrained : {0.0, 0.3, 0.9}) {
        RandomSystem system = random_system(width, height, stiffness, constrained, seed++);
        const Eigen::VectorXd expected = constrained_solution(system);
        const ConjugateGradientReport report = solve(system, {.tolerance = 1e-9, .max_iterations = 5000});
        EXPECT_TRUE(report.converged);
        EXPECT_LE(report.relative_residual, 1e-9);
        EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm() + 1e-12)
            << width << 'x' << height << " stiffness " << stiffness << " constrained " << constrained;
      }
}

std::vector<PairCoupling> random_couplings(int rows, int count) {
  std::mt19937 random(4);
  std::vector<PairCoupling> couplings(static_cast<size_t>(count));
  for (PairCoupling& coupling : couplings) {
    coupling.strength = 5;
    for (size_t i = 0; i < 4; ++i) {
      coupling.rows[i] = static_cast<int>(random() % static_cast<unsigned>(rows));
      coupling.direction[i] = random_vector(random);
    }
  }
  return couplings;
}

TEST_P(ConjugateGradientTest, AddsCouplingsOfPairs) {
  RandomSystem system = random_system(9, 8, 100, 0.2, 3);
  const int n = system.size();
  const std::vector<PairCoupling> couplings = random_couplings(n, 60);
  Eigen::MatrixXd a = dense(system.matrix);
  for (const PairCoupling& coupling : couplings) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(3 * n);
    for (size_t i = 0; i < 4; ++i) direction.segment<3>(3 * coupling.rows[i]) += coupling.direction[i];
    a += coupling.strength * direction * direction.transpose();
  }
  const Eigen::MatrixXd s = dense(system.projection, n);
  const Eigen::MatrixXd filled = s * a * s + Eigen::MatrixXd::Identity(3 * n, 3 * n) - s;
  const Eigen::VectorXd start = flat(system.x);
  const Eigen::VectorXd expected = start + filled.ldlt().solve(s * (flat(system.b) - a * start));

  ConjugateGradient solver(make_preconditioner(GetParam()));
  ConjugateGradientSettings settings{.tolerance = 1e-9, .max_iterations = 5000};
  const std::vector<Vec3> x = system.x;
  // Without, with, and with again: what is left of the last call must not disturb.
  solver.solve(system.matrix, system.b, system.b, system.projection, settings, system.x);
  settings.same_matrix = true;
  for (int k = 0; k < 2; ++k) {
    system.x = x;
    const auto report =
        solver.solve(system.matrix, system.b, system.b, system.projection, settings, system.x, couplings);
    EXPECT_TRUE(report.converged);
    EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm());
  }
  system.x = x;
  const Eigen::VectorXd uncoupled = constrained_solution(system);
  solver.solve(system.matrix, system.b, system.b, system.projection, settings, system.x);
  EXPECT_LT((flat(system.x) - uncoupled).norm(), 1e-6 * uncoupled.norm());
}

/// What drives the first half hard must not hide what the second half lacks.
TEST_P(ConjugateGradientTest, KeepsTheLimitsOfParts) {
  RandomSystem system = random_system(30, 20, 100, 0, 8);
  const int n = system.size(), half = n / 2;
  for (int i = 0; i < half; ++i) system.b[static_cast<size_t>(i)] *= 1e6;
  const auto lack = [&](const RandomSystem& solved) {
    const Eigen::VectorXd r = flat(solved.b) - dense(solved.matrix) * flat(solved.x);
    Vec3 sum = Vec3::Zero();
    for (int i = half; i < n; ++i) sum += r.segment<3>(3 * i);
    return sum.norm();
  };
  const std::vector limits{NetLimit{half, n, 1e-3}};
  RandomSystem loose = system;
  EXPECT_TRUE(solve(loose, {.tolerance = 0.1}).converged);
  EXPECT_TRUE(solve(system, {.tolerance = 0.1, .net_limits = limits}).converged);
  EXPECT_GT(lack(loose), 1e-3);
  EXPECT_LE(lack(system), 1.0001e-3);
}

TEST_P(ConjugateGradientTest, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto result = [&](int threads) {
    RandomSystem system = random_system(60, 50, 1e4, 0.1, 11);
    ThreadPool pool(threads);
    pool.run([&] { EXPECT_TRUE(solve(system, {}).converged); });
    return system.x;
  };
  EXPECT_EQ(result(1), result(2));
}

TEST_P(ConjugateGradientTest, LeavesFixedParticlesAlone) {
  RandomSystem system = random_system(20, 20, 100, 0, 5);
  std::mt19937 random(1);
  for (int i = 0; i < system.size(); ++i) system.projection.add(i, Mat3::Zero());
  system.x = random_vectors(system.size(), random);
  const std::vector<Vec3> start = system.x;
  const ConjugateGradientReport report = solve(system, {});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(system.x, start);
}

TEST_P(ConjugateGradientTest, TakesFixedRegionsLargerThanAnAggregate) {
  RandomSystem system = random_system(30, 30, 1e3, 0, 6);
  for (int i = 0; i < system.size() / 2; ++i) system.projection.add(i, Mat3::Zero());
  const Eigen::VectorXd expected = constrained_solution(system);
  EXPECT_TRUE(solve(system, {.tolerance = 1e-9}).converged);
  EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm());
}

TEST_P(ConjugateGradientTest, NeedsNoIterationForAZeroRightSide) {
  RandomSystem system = random_system(20, 20, 100, 0, 5);
  system.b.assign(system.b.size(), Vec3::Zero());
  const ConjugateGradientReport report = solve(system, {});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.relative_residual, 0);
}

TEST_P(ConjugateGradientTest, TakesAnEmptySystem) {
  RandomSystem system{BlockMatrix(BlockPatternBuilder(0).build()), {}, {}, {}};
  EXPECT_TRUE(solve(system, {}).converged);
}

TEST_P(ConjugateGradientTest, ReportsThatItRanOutOfIterations) {
  RandomSystem system = random_system(40, 40, 1e5, 0, 5);
  const ConjugateGradientReport report = solve(system, {.tolerance = 1e-10, .max_iterations = 3});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_GT(report.relative_residual, 1e-10);
}

TEST_P(ConjugateGradientTest, EndsWithoutSuccessOnNumbersThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  RandomSystem in_matrix = random_system(20, 20, 100, 0.1, 5);
  in_matrix.matrix.diagonal(13)(0, 0) = nan;
  EXPECT_FALSE(solve(in_matrix, {}).converged);
  RandomSystem in_rhs = random_system(20, 20, 100, 0, 5);
  in_rhs.b[13][1] = nan;
  EXPECT_FALSE(solve(in_rhs, {}).converged);
  RandomSystem infinite = random_system(20, 20, 100, 0, 5);
  infinite.b[13][1] = INFINITY;
  EXPECT_FALSE(solve(infinite, {}).converged);
}

}  // namespace
}  // namespace heddle::test
