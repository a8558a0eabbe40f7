#include "random_system.h"

#include <heddle/solve/diagonal_preconditioners.h>
#include <heddle/solve/modified_conjugate_gradient.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {
namespace {

constexpr int kManyIterations = 20000;

ModifiedConjugateGradient mpcg(MpcgRule rule, bool single_precision = false) {
  return {rule, std::make_unique<BlockJacobi>(), single_precision};
}

/// Steps of a simulation: the same matrix, right sides that change slowly.
struct Steps {
  int published = 0, corrected = 0, warm = 0;  // iterations
};

Steps run_steps(const RandomSystem& system) {
  auto published = mpcg(MpcgRule::published), corrected = mpcg(MpcgRule::corrected);
  const auto warm =
      make_linear_solver({.solver = "mpcg", .preconditioner = "block_jacobi", .warm_start = true});
  std::mt19937 random(5);
  const std::vector<Vec3> change = random_vectors(system.size(), random);
  Steps steps;
  for (int k = 0; k < 5; ++k) {
    RandomSystem step = system;
    for (size_t i = 0; i < change.size(); ++i) step.b[i] += 0.02 * k * change[i];
    const auto iterations = [&](LinearSolver& solver) {
      RandomSystem copy = step;
      const SolverReport report =
          solve(solver, copy, {.max_iterations = kManyIterations, .resembles_last = true});
      EXPECT_TRUE(report.converged);
      return report.iterations;
    };
    steps.published += iterations(published);
    steps.corrected += iterations(corrected);
    steps.warm += iterations(*warm);
  }
  return steps;
}

/// Boxerman 2003, 5.2: 45 to 75 % of the iterations.
TEST(Mpcg, NeedsFewerIterationsFromTheLastSolution) {
  const Steps steps = run_steps(random_system(30, 30, 1e4, 0.1, 2));
  std::printf("%d iterations as published, %d corrected, %d from the last solution\n", steps.published,
              steps.corrected, steps.warm);
  EXPECT_LT(steps.warm, 0.75 * steps.published);
}

/// What is prescribed drives the system, b does not: the published rule has no scale, the corrected one has.
TEST(Mpcg, TakesItsScaleFromPrescribedMotion) {
  RandomSystem system = random_system(20, 20, 1e3, 0, 2);
  system.b.assign(system.b.size(), Vec3::Zero());
  for (int i = 0; i < 20; ++i) {
    system.projection.add(i, Mat3::Zero());
    system.x[static_cast<size_t>(i)] = Vec3(0, 0, 1);
  }
  const Eigen::VectorXd expected = constrained_solution(system);
  auto corrected = mpcg(MpcgRule::corrected), published = mpcg(MpcgRule::published);
  RandomSystem other = system;
  EXPECT_TRUE(solve(corrected, system, {.tolerance = 1e-9, .max_iterations = kManyIterations}).converged);
  EXPECT_LT((flat(system.x) - expected).norm(), 1e-6 * expected.norm());
  EXPECT_FALSE(solve(published, other, {.tolerance = 1e-9, .max_iterations = 200}).converged);
}

TEST(Mpcg, KeepsPrescribedComponentsExactly) {
  RandomSystem system = random_system(20, 20, 1e3, 0.5, 2);
  for (const MpcgRule rule : {MpcgRule::published, MpcgRule::corrected})
    for (const int iterations : {1, 2, 5, 20}) {
      auto solver = mpcg(rule);
      RandomSystem copy = system;
      solve(solver, copy, {.tolerance = 1e-9, .max_iterations = iterations});
      const auto& projection = system.projection;
      for (size_t k = 0; k < projection.particles().size(); ++k) {
        const auto i = static_cast<size_t>(projection.particles()[k]);
        const Mat3 held = Mat3::Identity() - projection.free(k);
        EXPECT_LT((held * (copy.x[i] - system.x[i])).norm(), 1e-12);
      }
    }
}

TEST(Mpcg, AgreesWithADenseSolveInSinglePrecision) {
  for (const double stiffness : {10.0, 1e5}) {
    RandomSystem system = random_system(12, 12, stiffness, 0.3, 4);
    const Eigen::VectorXd expected = constrained_solution(system);
    auto solver = mpcg(MpcgRule::corrected, true);
    EXPECT_TRUE(solve(solver, system, {.tolerance = 1e-5, .max_iterations = kManyIterations}).converged);
    EXPECT_LT((flat(system.x) - expected).norm(), 1e-3 * expected.norm());
  }
}

}  // namespace
}  // namespace heddle::test
