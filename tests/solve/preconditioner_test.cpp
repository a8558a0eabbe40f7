#include "random_system.h"

#include <heddle/solve/conjugate_gradient.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

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

/// Two sheets, one above the other, held together as stiffly as contact does: each particle of the upper one
/// by three of the lower.
struct TwoSheets {
  RandomSystem system;
  std::vector<PairCoupling> couplings;
};

TwoSheets two_sheets(int width, double strength, unsigned seed) {
  const RandomSystem one = random_system(width, width, 1e3, 0.02, seed);
  const int n = one.size();
  BlockPatternBuilder builder(2 * n);
  const BlockPattern& general = one.matrix.pattern().general;
  for (int row = 0; row < n; ++row)
    for (int k = general.row_start[static_cast<size_t>(row)];
         k < general.row_start[static_cast<size_t>(row) + 1]; ++k)
      for (const int shift : {0, n})
        builder.couple(std::array{row + shift, general.columns[static_cast<size_t>(k)] + shift});
  TwoSheets out{{BlockMatrix(builder.build()), {}, one.b, one.x}, {}};
  for (int row = 0; row < n; ++row)
    for (int k = general.row_start[static_cast<size_t>(row)];
         k < general.row_start[static_cast<size_t>(row) + 1]; ++k)
      for (const int shift : {0, n}) {
        const int column = general.columns[static_cast<size_t>(k)];
        out.system.matrix.block(out.system.matrix.pattern().place(row + shift, column + shift)) =
            one.matrix.block(k);
      }
  for (const int i : one.projection.particles()) out.system.projection.add(i, Mat3::Zero());
  std::mt19937 random(seed);
  out.system.b = random_vectors(2 * n, random);
  out.system.x.assign(static_cast<size_t>(2 * n), Vec3::Zero());
  for (int i = 0; i + width + 1 < n; ++i) {
    PairCoupling& coupling = out.couplings.emplace_back();
    coupling.rows = {n + i, i, i + 1, i + width};
    const Vec3 normal = (Vec3(0, 0, 1) + 0.3 * random_vector(random)).normalized();
    coupling.direction = {normal, -normal / 2, -normal / 4, -normal / 4};
    coupling.strength = strength;
  }
  return out;
}

TEST_P(PreconditionerTest, StaysSymmetricAndPositiveWithCouplings) {
  TwoSheets sheets = two_sheets(9, 1e4, 2);
  const auto preconditioner = make_preconditioner(GetParam());
  PairCouplings couplings;
  couplings.assign(sheets.couplings, sheets.system.size());
  FilteredMatrix filtered;
  filtered.assign(sheets.system.matrix, sheets.system.projection);
  filtered.couple(couplings);
  preconditioner->factor(filtered);
  preconditioner->couple(couplings);
  const Eigen::MatrixXd inverse = dense(*preconditioner, filtered);
  const double size = inverse.cwiseAbs().maxCoeff();
  EXPECT_LT((inverse - inverse.transpose()).cwiseAbs().maxCoeff(), 1e-4 * size);
  const Eigen::MatrixXd free = test::dense(sheets.system.projection, sheets.system.size());
  const Eigen::MatrixXd filled =
      inverse + size * (Eigen::MatrixXd::Identity(free.rows(), free.cols()) - free);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(filled).eigenvalues().minCoeff(), 0);
}

/// Multigrid that knows couplings by its finest diagonal alone.
class UncoupledMultigrid final : public Preconditioner {
 public:
  void factor(const FilteredMatrix& matrix) override { multigrid_.factor(matrix); }
  void apply(std::vector<Vec3>& r, std::vector<Vec3>& z) override { multigrid_.apply(r, z); }

 private:
  Multigrid multigrid_;
};

TEST(Multigrid, NeedsFewIterationsForStiffCouplings) {
  const auto iterations = [&](std::unique_ptr<Preconditioner> preconditioner) {
    TwoSheets sheets = two_sheets(60, 1e5, 5);
    ConjugateGradient solver(std::move(preconditioner));
    const auto report =
        solver.solve(sheets.system.matrix, sheets.system.b, sheets.system.b, sheets.system.projection,
                     {1e-6, 5000}, sheets.system.x, sheets.couplings);
    EXPECT_TRUE(report.converged);
    return report.iterations;
  };
  const int coupled = iterations(std::make_unique<Multigrid>());
  const int uncoupled = iterations(std::make_unique<UncoupledMultigrid>());
  std::printf("%d iterations for stiffly coupled sheets, %d without couplings on coarse levels\n", coupled,
              uncoupled);
  EXPECT_LT(3 * coupled, uncoupled);
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
