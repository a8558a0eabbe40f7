#include "random_system.h"

#include <heddle/solve/conjugate_gradient.h>

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

class PreconditionerTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, PreconditionerTest, testing::Values("block_jacobi", "multigrid"),
                         [](const auto& test) { return test.param; });

/// The preconditioner as a matrix, column by column.
Eigen::MatrixXd dense(Preconditioner& preconditioner, const FilteredMatrix& matrix) {
  const int n = matrix.row_count();
  Eigen::MatrixXd out(3 * n, 3 * n);
  std::vector<Vec3> r(static_cast<size_t>(n), Vec3::Zero());
  for (int column = 0; column < 3 * n; ++column) {
    r[static_cast<size_t>(column / 3)][column % 3] = 1;
    out.col(column) = flat(apply(preconditioner, matrix, r));
    r[static_cast<size_t>(column / 3)].setZero();
  }
  return out;
}

TEST_P(PreconditionerTest, IsSymmetricAndPositiveOnTheFreeDirections) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const RandomSystem system = random_system(seed % 2 ? 16 : 5, seed % 2 ? 17 : 4, 1e4, 0.3, seed);
    const auto preconditioner = make_preconditioner(GetParam());
    FilteredMatrix filtered;
    filtered.assign(system.matrix, system.projection);
    preconditioner->factor(filtered);
    const Eigen::MatrixXd inverse = dense(*preconditioner, filtered);
    const double size = inverse.cwiseAbs().maxCoeff();
    EXPECT_LT((inverse - inverse.transpose()).cwiseAbs().maxCoeff(), 1e-4 * size);
    const Eigen::MatrixXd free = test::dense(system.projection, system.size());
    EXPECT_LT((free * inverse * free - inverse).cwiseAbs().maxCoeff(), 1e-7 * size);
    // Constrained directions get one, so that only the free ones can spoil the smallest eigenvalue.
    const Eigen::MatrixXd filled =
        inverse + size * (Eigen::MatrixXd::Identity(free.rows(), free.cols()) - free);
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(filled).eigenvalues();
    EXPECT_GT(values.minCoeff(), 0);
  }
}

TEST_P(PreconditionerTest, GivesTheSameBitsForAnyNumberOfThreads) {
  const RandomSystem system = random_system(70, 60, 1e4, 0.1, 7);
  const auto result = [&](int threads) {
    ThreadPool pool(threads);
    std::vector<Vec3> z;
    pool.run([&] {
      const auto preconditioner = make_preconditioner(GetParam());
      FilteredMatrix filtered;
      filtered.assign(system.matrix, system.projection);
      preconditioner->factor(filtered);
      z = apply(*preconditioner, filtered, system.b);
    });
    return z;
  };
  EXPECT_EQ(result(1), result(2));
}

TEST_P(PreconditionerTest, FollowsChangesOfMatrixAndPattern) {
  const auto reused = make_preconditioner(GetParam());
  for (int width : {20, 31, 31, 3}) {
    const RandomSystem system = random_system(width, 20, 100, 0.2, static_cast<unsigned>(width));
    const auto fresh = make_preconditioner(GetParam());
    FilteredMatrix filtered;
    filtered.assign(system.matrix, system.projection);
    reused->factor(filtered);
    fresh->factor(filtered);
    EXPECT_EQ(apply(*reused, filtered, system.b), apply(*fresh, filtered, system.b));
  }
}

TEST(Multigrid, NeedsFarFewerIterationsThanBlockJacobi) {
  RandomSystem system = random_system(80, 80, 1e5, 0.02, 3);
  const auto iterations = [&](const std::string& name) {
    ConjugateGradient solver(make_preconditioner(name));
    std::vector<Vec3> x = system.x;
    const auto report = solver.solve(system.matrix, system.b, system.b, system.projection, {1e-6, 5000}, x);
    EXPECT_TRUE(report.converged);
    return report.iterations;
  };
  EXPECT_LT(4 * iterations("multigrid"), iterations("fused"));
}

}  // namespace
}  // namespace heddle::test
