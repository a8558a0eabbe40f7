#include "random_system.h"

#include <gtest/gtest.h>

#include <limits>

namespace heddle::test {
namespace {

class LinearSolverTest : public testing::TestWithParam<SolverParameters> {
 protected:
  SolverReport solve(RandomSystem& system, const SolverSettings& settings) {
    return test::solve(*make_linear_solver(GetParam()), system, settings);
  }
};

INSTANTIATE_TEST_SUITE_P(All, LinearSolverTest, testing::ValuesIn(all_solvers(true)),
                         [](const auto& test) { return text(test.param); });

constexpr int kManyIterations = 100000;

struct SolvedSystem {
  RandomSystem system;
  Eigen::VectorXd solution;
};

/// Systems of many sizes, stiffnesses and mixes of constraints with their dense solutions.
const std::vector<SolvedSystem>& solved_systems() {
  static const std::vector<SolvedSystem> systems = [] {
    std::vector<SolvedSystem> out;
    unsigned seed = 1;
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 1}, {5, 4}, {16, 15}})
      for (double stiffness : {0.0, 10.0, 1e4})
        for (double constrained : {0.0, 0.3, 0.9}) {
          const RandomSystem system = random_system(width, height, stiffness, constrained, seed++);
          out.push_back({system, constrained_solution(system)});
        }
    return out;
  }();
  return systems;
}

TEST_P(LinearSolverTest, AgreesWithADenseConstrainedSolve) {
  for (size_t k = 0; k < solved_systems().size(); ++k) {
    auto [system, expected] = solved_systems()[k];
    const SolverReport report = solve(system, {.tolerance = 1e-9, .max_iterations = kManyIterations});
    EXPECT_TRUE(report.converged) << k;
    EXPECT_LE(report.relative_residual, 1e-9);
    EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm() + 1e-12) << k;
  }
}

TEST_P(LinearSolverTest, AddsCouplingsOfPairs) {
  RandomSystem system = random_system(9, 8, 100, 0.2, 3);
  const std::vector<PairCoupling> couplings = random_couplings(system.size(), 60);
  const Eigen::VectorXd expected = constrained_solution(system, couplings);
  const Eigen::VectorXd uncoupled = constrained_solution(system);
  const auto solver = make_linear_solver(GetParam());
  SolverSettings settings{.tolerance = 1e-9, .max_iterations = kManyIterations};
  const std::vector<Vec3> x = system.x;
  // Without, with, and with again: what is left of the last call must not disturb.
  test::solve(*solver, system, settings);
  settings.same_matrix = true;
  for (int k = 0; k < 2; ++k) {
    system.x = x;
    EXPECT_TRUE(test::solve(*solver, system, settings, couplings).converged);
    EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm());
  }
  system.x = x;
  test::solve(*solver, system, settings);
  EXPECT_LT((flat(system.x) - uncoupled).norm(), 1e-6 * uncoupled.norm());
}

/// A solver is used for systems of all sizes, one after the other.
TEST_P(LinearSolverTest, FollowsChangesOfMatrixAndPattern) {
  const auto reused = make_linear_solver(GetParam());
  for (int width : {9, 12, 12, 3}) {
    RandomSystem system = random_system(width, 10, 100, 0.2, static_cast<unsigned>(width));
    const Eigen::VectorXd expected = constrained_solution(system);
    test::solve(*reused, system, {.tolerance = 1e-9, .max_iterations = kManyIterations});
    EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm());
  }
}

/// A matrix that was called similar may be anything but that; it costs iterations at most.
TEST_P(LinearSolverTest, SolvesWhatIsCalledSimilar) {
  const auto solver = make_linear_solver(GetParam());
  SolverSettings settings{.tolerance = 1e-9, .max_iterations = kManyIterations};
  for (const double stiffness : {100.0, 101.0, 1e4, 0.01}) {
    RandomSystem system = random_system(12, 10, stiffness, 0.2, 5);
    const Eigen::VectorXd expected = constrained_solution(system);
    EXPECT_TRUE(test::solve(*solver, system, settings).converged) << stiffness;
    EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm()) << stiffness;
    settings.similar_matrix = true;
  }
}

/// What drives the first half hard must not hide what the second half lacks.
TEST_P(LinearSolverTest, KeepsTheLimitsOfParts) {
  RandomSystem system = random_system(30, 20, 100, 0, 8);
  const int n = system.size(), half = n / 2;
  for (int i = 0; i < half; ++i) system.b[static_cast<size_t>(i)] *= 1e6;
  const auto lack = [&](const RandomSystem& solved) {
    const Eigen::VectorXd r = flat(solved.b) - dense(solved.matrix) * flat(solved.x);
    Vec3 sum = Vec3::Zero();
    for (int i = half; i < n; ++i) sum += r.segment<3>(3 * i);
    return sum.norm();
  };
  const std::vector limits{NetLimit{{half, n}, 1e-3}};
  RandomSystem loose = system;
  EXPECT_TRUE(solve(loose, {.tolerance = 0.1}).converged);
  EXPECT_TRUE(solve(system, {.tolerance = 0.1, .net_limits = limits}).converged);
  EXPECT_TRUE(GetParam().solver == "direct" || lack(loose) > 1e-3);
  EXPECT_LE(lack(system), 1.0001e-3);
}

TEST_P(LinearSolverTest, DoesNotCallALimitMetThatIsNot) {
  RandomSystem system = random_system(30, 20, 1e4, 0, 8);
  const std::vector limits{NetLimit{{0, system.size()}, 1e-30}};
  const SolverReport report = solve(system, {.tolerance = 0.1, .max_iterations = 200, .net_limits = limits});
  EXPECT_FALSE(report.converged);
}

TEST_P(LinearSolverTest, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto result = [&](int threads) {
    RandomSystem system = random_system(60, 50, 1e4, 0.1, 11);
    ThreadPool pool(threads);
    pool.run([&] { EXPECT_TRUE(solve(system, {.max_iterations = kManyIterations}).converged); });
    return system.x;
  };
  EXPECT_EQ(result(1), result(2));
}

TEST_P(LinearSolverTest, LeavesFixedParticlesAlone) {
  RandomSystem system = random_system(20, 20, 100, 0, 5);
  std::mt19937 random(1);
  for (int i = 0; i < system.size(); ++i) system.projection.add(i, Mat3::Zero());
  system.x = random_vectors(system.size(), random);
  const std::vector<Vec3> start = system.x;
  const SolverReport report = solve(system, {});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(system.x, start);
}

TEST_P(LinearSolverTest, TakesFixedRegionsLargerThanAnAggregate) {
  RandomSystem system = random_system(16, 18, 1e3, 0, 6);
  for (int i = 0; i < system.size() / 2; ++i) system.projection.add(i, Mat3::Zero());
  static const Eigen::VectorXd expected = constrained_solution(system);
  EXPECT_TRUE(solve(system, {.tolerance = 1e-9, .max_iterations = kManyIterations}).converged);
  EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm());
}

TEST_P(LinearSolverTest, NeedsNoIterationForAZeroRightSide) {
  RandomSystem system = random_system(20, 20, 100, 0, 5);
  system.b.assign(system.b.size(), Vec3::Zero());
  const SolverReport report = solve(system, {});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.relative_residual, 0);
}

TEST_P(LinearSolverTest, TakesAnEmptySystem) {
  RandomSystem system{BlockMatrix(BlockPatternBuilder(0).build()), {}, {}, {}};
  EXPECT_TRUE(solve(system, {}).converged);
}

TEST_P(LinearSolverTest, ReportsThatItRanOutOfIterations) {
  if (GetParam().solver == "direct") GTEST_SKIP() << "needs none";
  RandomSystem system = random_system(40, 40, 1e5, 0, 5);
  const SolverReport report = solve(system, {.tolerance = 1e-10, .max_iterations = 3});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_GT(report.relative_residual, 1e-10);
}

TEST_P(LinearSolverTest, EndsWithoutSuccessOnNumbersThatAreNone) {
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

TEST_P(LinearSolverTest, EndsWithoutSuccessOnRowsWithoutStiffness) {
  RandomSystem system = random_system(20, 20, 0, 0, 5);
  system.matrix.diagonal(13).setZero();
  EXPECT_FALSE(solve(system, {}).converged);
}

/// A fixed particle needs no mass.
TEST_P(LinearSolverTest, TakesFixedRowsWithoutStiffness) {
  if (!GetParam().constrained_preconditioner) GTEST_SKIP() << "needs the inverse of the whole matrix";
  RandomSystem system = random_system(8, 8, 0, 0, 5);
  system.matrix.diagonal(13).setZero();
  system.projection.add(13, Mat3::Zero());
  system.x[13] = Vec3(1, 2, 3);
  EXPECT_TRUE(solve(system, {.tolerance = 1e-9}).converged);
  EXPECT_EQ(system.x[13], Vec3(1, 2, 3));
  EXPECT_LT((system.matrix.diagonal(14) * system.x[14] - system.b[14]).norm(), 1e-8);
}

TEST_P(LinearSolverTest, DoesNotCallAnIndefiniteMatrixSolvedThatIsNot) {
  const auto expect_honest = [&](RandomSystem system) {
    const SolverReport report = solve(system, {.tolerance = 1e-6});
    if (!report.converged) return;
    const Eigen::VectorXd r = flat(system.b) - dense(system.matrix) * flat(system.x);
    EXPECT_LT(r.norm(), 1e-3 * flat(system.b).norm());
  };
  RandomSystem negative = random_system(20, 20, 100, 0, 5);
  negative.matrix.diagonal(13) *= -1;
  expect_honest(negative);
  RandomSystem saddle = random_system(20, 20, 100, 0, 5);
  add_spring(13, 14, -1000 * Mat3::Identity(), saddle.matrix);
  for (int i : {13, 14}) saddle.matrix.diagonal(i).diagonal().array() += 1100;
  expect_honest(saddle);
}

TEST_P(LinearSolverTest, CountsRowsTimesVectors) {
  RandomSystem system = random_system(20, 20, 100, 0, 5);
  const SolverReport report = solve(system, {});
  const int n = system.size();
  EXPECT_EQ(report.row_products % n, 0);
  EXPECT_GE(report.row_products, static_cast<long>(n) * (report.iterations + 1));
  EXPECT_LE(report.row_products, static_cast<long>(n) * (report.iterations + 4));
}

TEST_P(LinearSolverTest, TellsItsMemory) {
  RandomSystem system = random_system(20, 20, 100, 0, 5);
  const auto solver = make_linear_solver(GetParam());
  test::solve(*solver, system, {});
  EXPECT_GT(solver->bytes(), 100 * static_cast<size_t>(system.size()));
  EXPECT_LT(solver->bytes(), 100000 * static_cast<size_t>(system.size()));
}

}  // namespace
}  // namespace heddle::test
