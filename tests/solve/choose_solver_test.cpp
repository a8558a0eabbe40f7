#include "random_system.h"

#include <heddle/solve/choose_solver.h>

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

constexpr SystemTraits kFineCloth{.rows = 10201, .stiffness = 5e4},
    kShortSteps{.rows = 10201, .stiffness = 3}, kHandkerchief{.rows = 121, .stiffness = 5e3};

SolverParameters open_parameters(double tolerance) {
  return {.solver = kAuto, .preconditioner = kAuto, .tolerance = tolerance};
}

void expect_choice(const SystemTraits& system, double tolerance, const std::string& solver,
                   const std::string& preconditioner) {
  const SolverChoice choice = choose_solver(open_parameters(tolerance), system);
  EXPECT_EQ(choice.parameters.solver, solver);
  if (solver != "direct") EXPECT_EQ(choice.parameters.preconditioner, preconditioner);
  EXPECT_EQ(choice.parameters.tolerance, tolerance);
  EXPECT_EQ(choice.reason.find(solver), 0u) << choice.reason;
  EXPECT_NE(choice.reason.find("because"), std::string::npos) << choice.reason;
}

TEST(ChooseSolver, FollowsSizeStiffnessAndTolerance) {
  expect_choice(kFineCloth, 0.02, "conjugate_gradient", "multigrid");
  expect_choice(kFineCloth, 1e-10, "conjugate_gradient", "multigrid");
  expect_choice(kShortSteps, 0.02, "conjugate_gradient", "block_jacobi");
  expect_choice(kHandkerchief, 0.02, "conjugate_gradient", "block_jacobi");
  expect_choice(kHandkerchief, 1e-10, "direct", "");
}

TEST(ChooseSolver, LeavesWhatIsNamed) {
  const SolverChoice none = choose_solver({.solver = "mpcg", .preconditioner = "ssor"}, kFineCloth);
  EXPECT_EQ(none.parameters.solver, "mpcg");
  EXPECT_EQ(none.parameters.preconditioner, "ssor");
  EXPECT_EQ(none.reason, "");
  const SolverChoice one = choose_solver({.solver = "mpcg", .preconditioner = kAuto}, kFineCloth);
  EXPECT_EQ(one.parameters.solver, "mpcg");
  EXPECT_EQ(one.parameters.preconditioner, "multigrid");
  const SolverChoice other = choose_solver({.solver = kAuto, .preconditioner = "ssor"}, kFineCloth);
  EXPECT_EQ(other.parameters.solver, "conjugate_gradient");
  EXPECT_EQ(other.parameters.preconditioner, "ssor");
  const SolverChoice direct = choose_solver({.solver = "direct", .preconditioner = kAuto}, kFineCloth);
  EXPECT_EQ(direct.reason, "direct, as the scene asks");
}

TEST(ChooseSolver, MeasuresStiffnessByTheMass) {
  BlockMatrix matrix(BlockPatternBuilder(2).build());
  matrix.set_zero();
  matrix.diagonal(0) = 2 * Mat3::Identity();  // 2 kg and nothing else
  matrix.diagonal(1) = Vec3(4, 4, 13).asDiagonal();
  const std::vector<double> mass{2, 1};
  const SystemTraits traits = traits_of_system(matrix, mass);
  EXPECT_EQ(traits.rows, 2);
  EXPECT_DOUBLE_EQ(traits.stiffness, 6);
}

TEST(ChooseSolver, AutoWithoutASystemIsTheUsualSolver) {
  EXPECT_EQ(make_linear_solver(open_parameters(0.02))->name(), "conjugate_gradient");
}

}  // namespace
}  // namespace heddle::test
