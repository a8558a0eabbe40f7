#include "random_system.h"

#include <heddle/solve/conjugate_gradient.h>
#include <heddle/solve/multigrid.h>
#include <heddle/solve/ssor.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace heddle::test {
namespace {

class PreconditionerTest : public testing::TestWithParam<SolverParameters> {
 protected:
  PairCouplings none;
};

/// Those of the registry, constrained or not.
std::vector<SolverParameters> all_preconditioners() {
  std::vector<SolverParameters> out;
  for (const PreconditionerEntry& entry : preconditioner_registry())
    for (const bool constrained : {true, false})
      out.push_back({.preconditioner = entry.name, .constrained_preconditioner = constrained});
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, PreconditionerTest, testing::ValuesIn(all_preconditioners()),
                         [](const auto& test) { return text(test.param); });

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
    preconditioner->factor(filtered, none);
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
      preconditioner->factor(filtered, none);
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
    reused->factor(filtered, none);
    fresh->factor(filtered, none);
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
  preconditioner->factor(filtered, couplings);
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
  void factor(const FilteredMatrix& matrix, PairCouplings&) override { multigrid_.factor(matrix, none_); }
  void apply(std::vector<Vec3>& r, std::vector<Vec3>& z) override { multigrid_.apply(r, z); }

 private:
  Multigrid multigrid_;
  PairCouplings none_;
};

TEST(Multigrid, NeedsFewIterationsForStiffCouplings) {
  const auto iterations = [&](std::unique_ptr<Preconditioner> preconditioner) {
    TwoSheets sheets = two_sheets(60, 1e5, 5);
    ConjugateGradient solver(std::move(preconditioner));
    const auto report =
        solver.solve(sheets.system.matrix, sheets.system.b, sheets.system.b, sheets.system.projection,
                     {.tolerance = 1e-6, .max_iterations = 5000}, sheets.system.x, sheets.couplings);
    EXPECT_TRUE(report.converged);
    return report.iterations;
  };
  const int coupled = iterations(std::make_unique<Multigrid>());
  const int uncoupled = iterations(std::make_unique<UncoupledMultigrid>());
  std::printf("%d iterations for stiffly coupled sheets, %d without couplings on coarse levels\n", coupled,
              uncoupled);
  EXPECT_LT(3 * coupled, uncoupled);
}

int iterations_of(RandomSystem system, const SolverParameters& parameters) {
  const SolverReport report =
      solve(*make_linear_solver(parameters), system, {.tolerance = 1e-6, .max_iterations = 20000});
  EXPECT_TRUE(report.converged);
  return report.iterations;
}

TEST(Multigrid, NeedsFarFewerIterationsThanBlockJacobi) {
  const RandomSystem system = random_system(80, 80, 1e5, 0.02, 3);
  EXPECT_LT(4 * iterations_of(system, {.preconditioner = "multigrid"}),
            iterations_of(system, {.preconditioner = "block_jacobi"}));
}

/// A sheet like cloth, held at an edge: mass, stiff springs in its plane, weak ones across.
RandomSystem sheet(int width) {
  RandomSystem system = random_system(width, width, 1, 0, 9);
  system.matrix.set_zero();
  for (int i = 0; i < system.size(); ++i) system.matrix.diagonal(i).diagonal().setConstant(1);
  const auto spring = [&](int i, int j, const Vec3& direction) {
    Mat3 k = 1e4 * direction * direction.transpose();
    k.diagonal().array() += 10;
    add_spring(i, j, k, system.matrix);
  };
  for (int i = 0; i < system.size(); ++i) {
    const bool right = i % width + 1 < width, up = i + width < system.size();
    if (right) spring(i, i + 1, Vec3::UnitX());
    if (up) spring(i, i + width, Vec3::UnitY());
    if (right && up) spring(i, i + width + 1, Vec3(1, 1, 0) / std::sqrt(2));
    if (i < width) system.projection.add(i, Mat3::Zero());
  }
  return system;
}

TEST(Multigrid, HardlyNeedsMoreIterationsOnFinerSheets) {
  std::vector<int> multigrid, block_jacobi;
  for (const int width : {50, 100, 200}) {
    multigrid.push_back(iterations_of(sheet(width), {.preconditioner = "multigrid"}));
    block_jacobi.push_back(iterations_of(sheet(width), {.preconditioner = "block_jacobi"}));
    std::printf("%d rows: %d iterations with multigrid, %d with block-Jacobi\n", width * width,
                multigrid.back(), block_jacobi.back());
  }
  EXPECT_LE(multigrid.back(), 1.5 * multigrid.front());
  EXPECT_GE(block_jacobi.back(), 1.3 * block_jacobi.front());
}

/// Eurographics tutorial 2007, 5.6: SSOR gains far more than Jacobi, and partitions cost little of that.
TEST(Ssor, LosesLittleInPartitions) {
  const RandomSystem system = sheet(64);
  const int jacobi = iterations_of(system, {.preconditioner = "jacobi"});
  const auto iterations = [&](int partitions) {
    ConjugateGradient solver(std::make_unique<Ssor>(system.size() / partitions));
    RandomSystem copy = system;
    return solve(solver, copy, {.tolerance = 1e-6, .max_iterations = 5000}).iterations;
  };
  const int whole = iterations(1);
  EXPECT_LT(whole, 0.7 * jacobi);
  for (const int partitions : {2, 4, 8, 16}) {
    std::printf("%d partitions: %d iterations, one: %d, Jacobi: %d\n", partitions, iterations(partitions),
                whole, jacobi);
    EXPECT_LT(iterations(partitions), 1.5 * whole);
  }
}

TEST(IncompleteCholesky, NeedsFewerIterationsThanSsor) {
  const RandomSystem system = sheet(64);
  EXPECT_LT(iterations_of(system, {.preconditioner = "incomplete_cholesky"}),
            iterations_of(system, {.preconditioner = "ssor"}));
}

/// A sheet that rests on something slippery: many particles may slide but not move into it (Boxerman
/// 2003, 5.3).
RandomSystem sliding_sheet() {
  RandomSystem system = sheet(40);
  std::mt19937 random(3);
  for (int i = 40; i < system.size(); ++i)
    if (random() % 2 == 0) {
      const Vec3 normal = (Vec3(0, 0, 1) + 0.5 * random_vector(random)).normalized();
      system.projection.add(i, Mat3::Identity() - normal * normal.transpose());
    }
  return system;
}

TEST_P(PreconditionerTest, NeedsFewerIterationsIfItKnowsTheConstraints) {
  SolverParameters parameters = GetParam();
  if (parameters.preconditioner == "none" || !parameters.constrained_preconditioner) return;
  const RandomSystem system = sliding_sheet();
  const int constrained = iterations_of(system, parameters);
  parameters.constrained_preconditioner = false;
  const int unconstrained = iterations_of(system, parameters);
  std::printf("%d iterations constrained, %d unconstrained, %d with none\n", constrained, unconstrained,
              iterations_of(system, {.preconditioner = "none"}));
  EXPECT_LT(constrained, unconstrained);
}

/// Boxerman 2003, 5.3.1: without partial constraints both are the same.
TEST(BlockJacobi, IsTheSameConstrainedOrNotOnFixedAndFreeParticles) {
  const RandomSystem system = sheet(30);
  const int constrained = iterations_of(system, {.preconditioner = "block_jacobi"});
  EXPECT_NEAR(iterations_of(system, {.preconditioner = "block_jacobi", .constrained_preconditioner = false}),
              constrained, 0.02 * constrained);
}

}  // namespace
}  // namespace heddle::test
