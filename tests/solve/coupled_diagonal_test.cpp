#include "random_system.h"

#include <heddle/solve/coupled_diagonal.h>

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

/// A random system of masses alone; where no coupling acts there is no force either.
RandomSystem random_masses(int n, double constrained, std::span<const PairCoupling> couplings,
                           unsigned seed) {
  RandomSystem system = random_system(n, 1, 0, constrained, seed);
  std::vector<char> is_coupled(static_cast<size_t>(n));
  for (const PairCoupling& coupling : couplings)
    for (const int row : coupling.rows) is_coupled[static_cast<size_t>(row)] = 1;
  for (size_t i = 0; i < is_coupled.size(); ++i)
    if (!is_coupled[i]) system.b[i] = system.matrix.diagonal(static_cast<int>(i)) * system.x[i];
  return system;
}

std::vector<double> masses_of(const RandomSystem& system) {
  std::vector<double> masses;
  for (int row = 0; row < system.size(); ++row) masses.push_back(system.matrix.diagonal(row)(0, 0));
  return masses;
}

TEST(CoupledDiagonal, EqualsADenseSolve) {
  CoupledDiagonal solver;
  for (unsigned seed = 1; seed < 20; ++seed) {
    const auto couplings = random_couplings(60, static_cast<int>(seed));
    RandomSystem system = random_masses(60, 0.1 * (seed % 8), couplings, seed);
    const Eigen::VectorXd expected = constrained_solution(system, couplings);
    const SolverReport report =
        solver.solve(masses_of(system), system.b, system.projection,
                     {.tolerance = 1e-10, .max_iterations = 1000}, system.x, couplings);
    EXPECT_TRUE(report.converged) << seed;
    EXPECT_LT((flat(system.x) - expected).norm(), 1e-7 * expected.norm()) << seed;
    EXPECT_LE(report.row_products, static_cast<long>(4 * seed) * (report.iterations + 2)) << seed;
  }
}

TEST(CoupledDiagonal, TellsIfItDidNotConverge) {
  const auto couplings = random_couplings(60, 30);
  RandomSystem system = random_masses(60, 0, couplings, 3);
  CoupledDiagonal solver;
  const SolverReport report = solver.solve(masses_of(system), system.b, system.projection,
                                           {.tolerance = 1e-10, .max_iterations = 1}, system.x, couplings);
  EXPECT_FALSE(report.converged);
  EXPECT_GT(report.relative_residual, 1e-10);
}

}  // namespace
}  // namespace heddle::test
