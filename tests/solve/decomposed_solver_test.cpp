#include "random_system.h"

#include <heddle/solve/conjugate_gradient.h>
#include <heddle/solve/decomposed_solver.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::test {
namespace {

std::unique_ptr<LinearSolver> make_solver() {
  return make_linear_solver({.preconditioner = "block_jacobi"});
}

/// A sheet with a fixed row in the middle, and one particle that is fixed all around.
RandomSystem divided_sheet(int width) {
  RandomSystem system = random_system(width, width, 1e3, 0, 4);
  const int middle = width / 2;
  std::vector<int> fixed;
  // Bending couples particles two apart: it takes two rows to part the sheet.
  for (int i = 0; i < width; ++i) fixed.insert(fixed.end(), {middle * width + i, (middle + 1) * width + i});
  std::sort(fixed.begin(), fixed.end());
  for (const int i : fixed) {
    system.projection.add(i, Mat3::Zero());
    system.x[static_cast<size_t>(i)] = Vec3(0.1, 0, 0);
  }
  return system;
}

TEST(Components, AreWhatNothingConnects) {
  const RandomSystem system = divided_sheet(12);
  const RowComponents components = find_components(system.matrix, system.projection, {});
  ASSERT_EQ(components.count(), 2);
  EXPECT_EQ(components.of(0).size(), 6U * 12);
  EXPECT_EQ(components.of(1).size(), 4U * 12);
  for (int c = 0; c < 2; ++c) EXPECT_TRUE(std::is_sorted(components.of(c).begin(), components.of(c).end()));
  for (const int i : system.projection.particles()) EXPECT_EQ(components.owner[static_cast<size_t>(i)], -1);
}

TEST(Components, ArePartedByBlocksThatAreZero) {
  RandomSystem system = random_system(6, 6, 0, 0, 4);  // without stiffness
  EXPECT_EQ(find_components(system.matrix, system.projection, {}).count(), 36);
  add_spring(0, 1, Mat3::Identity(), system.matrix);
  EXPECT_EQ(find_components(system.matrix, system.projection, {}).count(), 35);
}

TEST(Components, AreJoinedByCouplings) {
  const RandomSystem system = divided_sheet(12);
  PairCoupling coupling{.rows = {0, 143, 72, 72}, .strength = 1};
  coupling.direction = {Vec3::UnitX(), Vec3::UnitX(), Vec3::Zero(), Vec3::Zero()};
  EXPECT_EQ(find_components(system.matrix, system.projection, {&coupling, 1}).count(), 1);
  // Row 72 is fixed: a coupling with it joins nothing.
  coupling.direction = {Vec3::UnitX(), Vec3::Zero(), Vec3::UnitX(), Vec3::Zero()};
  EXPECT_EQ(find_components(system.matrix, system.projection, {&coupling, 1}).count(), 2);
}

TEST(DecomposedSolver, EqualsTheWholeSolveWithFewerRowProducts) {
  RandomSystem system = divided_sheet(40);
  RandomSystem whole = system;
  DecomposedSolver solver(make_solver);
  const SolverSettings settings{.tolerance = 1e-8, .max_iterations = 10000};
  const SolverReport decomposed = solve(solver, system, settings);
  const SolverReport report = solve(*make_solver(), whole, settings);
  EXPECT_TRUE(decomposed.converged);
  EXPECT_LE(decomposed.relative_residual, 1e-8);
  EXPECT_LT((flat(system.x) - flat(whole.x)).norm(), 1e-6 * flat(whole.x).norm());
  EXPECT_LT(decomposed.row_products, report.row_products);
}

/// A sheet that a few fixed rows hold is one component; it is solved as it stands.
TEST(DecomposedSolver, LeavesAWholeComponentWithFixedRowsAsItIs) {
  RandomSystem system = random_system(20, 20, 100, 0, 3);
  for (const int row : {0, 19}) {
    system.projection.add(row, Mat3::Zero());
    system.x[static_cast<size_t>(row)] = Vec3(0.1, 0.2, 0.3);
  }
  EXPECT_EQ(find_components(system.matrix, system.projection, {}).count(), 1);
  EXPECT_EQ(find_components(system.matrix, system.projection, {}).rows.size(), 398u);
  RandomSystem whole = system;
  DecomposedSolver solver(make_solver);
  const SolverSettings settings{.tolerance = 1e-8, .max_iterations = 10000};
  const SolverReport decomposed = solve(solver, system, settings),
                     report = solve(*make_solver(), whole, settings);
  EXPECT_EQ(decomposed.iterations, report.iterations);
  EXPECT_EQ(flat(system.x), flat(whole.x));
}

TEST(DecomposedSolver, TakesRandomCouplingsAndConstraints) {
  for (unsigned seed = 1; seed < 20; ++seed) {
    RandomSystem system = random_system(10, 9, seed % 3 ? 100 : 0, 0.1 * (seed % 10), seed);
    auto couplings = random_couplings(system.size(), static_cast<int>(seed));
    for (PairCoupling& coupling : couplings) coupling.direction[3].setZero();
    const Eigen::VectorXd expected = constrained_solution(system, couplings);
    DecomposedSolver solver(make_solver);
    EXPECT_TRUE(solve(solver, system, {.tolerance = 1e-10, .max_iterations = 10000}, couplings).converged);
    EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm());
  }
}

TEST(DecomposedSolver, KeepsTheToleranceOfTheWholeAndItsLimits) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    RandomSystem system = random_system(20, 20, seed % 2 ? 0 : 100, 0.6, seed);
    std::mt19937 random(seed);
    const std::vector<Vec3> reference = random_vectors(system.size(), random);
    const std::vector limits{NetLimit{{0, 200}, 1e-4}, NetLimit{{200, 400}, 1e-3}};
    DecomposedSolver solver(make_solver);
    const SolverReport report =
        solver.solve(system.matrix, system.b, reference, system.projection,
                     {.tolerance = 0.05, .driving = system.b, .net_limits = limits}, system.x);
    EXPECT_TRUE(report.converged);
    // The same system is good for a solver that knows no components.
    ConjugateGradient judge;
    const SolverReport judged =
        judge.solve(system.matrix, system.b, reference, system.projection,
                    {.tolerance = 0.05, .driving = system.b, .net_limits = limits}, system.x);
    EXPECT_EQ(judged.iterations, 0);
    EXPECT_NEAR(judged.relative_residual, report.relative_residual, 1e-6);
    EXPECT_NEAR(judged.target, report.target, 1e-9 * judged.target);
  }
}

/// Corrected MPCG counts prescribed motion as a driving force, also where it reaches components from outside,
/// and knows no reference.
TEST(DecomposedSolver, HasTheScaleOfTheWholeInMpcg) {
  const auto target = [](bool decompose) {
    RandomSystem system = divided_sheet(12);
    const std::vector<Vec3> reference(system.b.size(), Vec3(1, 2, 3));
    const auto solver =
        make_linear_solver({.solver = "mpcg", .preconditioner = "block_jacobi", .decompose = decompose});
    return solver
        ->solve(system.matrix, system.b, reference, system.projection,
                {.tolerance = 1e-3, .driving = system.b}, system.x)
        .target;
  };
  EXPECT_NEAR(target(true), target(false), 1e-9 * target(false));
}

TEST(DecomposedSolver, NeedsOneIterationForSingleParticles) {
  RandomSystem system = random_system(20, 20, 0, 0.3, 4);
  DecomposedSolver solver(make_solver);
  EXPECT_EQ(solve(solver, system, {.tolerance = 1e-9}).iterations, 1);
}

}  // namespace
}  // namespace heddle::test
