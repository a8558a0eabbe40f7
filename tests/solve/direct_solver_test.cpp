#include "random_system.h"

#include <heddle/solve/direct_solver.h>

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

TEST(DirectSolver, KeepsItsSymbolicFactorAsLongAsThePatternStays) {
  DirectSolver solver;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomSystem system = random_system(12, 10, 100, 0.1 * seed, seed);  // other values and constraints
    const Eigen::VectorXd expected = constrained_solution(system);
    EXPECT_TRUE(solve(solver, system, {.tolerance = 1e-9}).converged);
    EXPECT_LT((flat(system.x) - expected).norm(), 1e-9 * expected.norm());
  }
  EXPECT_EQ(solver.symbolic_count(), 1);
  EXPECT_EQ(solver.numeric_count(), 5);
  RandomSystem other = random_system(13, 10, 100, 0.1, 1);
  solve(solver, other, {});
  EXPECT_EQ(solver.symbolic_count(), 2);
}

TEST(DirectSolver, KeepsItForCouplingsThatNeedNoNewPlaces) {
  DirectSolver solver;
  const RandomSystem system = random_system(12, 10, 100, 0.1, 3);
  const auto many = random_couplings(system.size(), 20);
  const std::vector few(many.begin(), many.begin() + 10);
  for (const auto& [couplings, symbolic] :
       {std::pair{std::vector<PairCoupling>(), 1}, {many, 2}, {few, 2}, {many, 2}}) {
    RandomSystem copy = system;
    const Eigen::VectorXd expected = constrained_solution(system, couplings);
    EXPECT_TRUE(solve(solver, copy, {.tolerance = 1e-9}, couplings).converged);
    EXPECT_LT((flat(copy.x) - expected).norm(), 1e-9 * expected.norm());
    EXPECT_EQ(solver.symbolic_count(), symbolic);
  }
}

TEST(DirectSolver, NeedsOneSolveForVeryStiffSystems) {
  RandomSystem system = random_system(30, 30, 1e7, 0.1, 3);
  DirectSolver solver;
  const SolverReport report = solve(solver, system, {.tolerance = 1e-6});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 1);
}

}  // namespace
}  // namespace heddle::test
