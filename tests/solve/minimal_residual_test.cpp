#include <heddle/solve/minimal_residual.h>

#include <heddle/core/random.h>

#include <gtest/gtest.h>

namespace heddle {

namespace {

/// A random symmetric matrix with eigenvalues of both signs.
Eigen::MatrixXd indefinite_matrix(int n, uint64_t seed) {
  Random random(seed);
  Eigen::MatrixXd a(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      a(i, j) = a(j, i) = random.uniform(-1, 1) + (i == j ? (i % 3 == 0 ? -4 : 5) : 0);
  return a;
}

SymmetricOperator operator_of(const Eigen::MatrixXd& a) {
  return [&a](std::span<const Vec3> x, std::span<Vec3> y) {
    const Eigen::Map<const Eigen::VectorXd> in(x[0].data(), a.cols());
    Eigen::Map<Eigen::VectorXd>(y[0].data(), a.rows()) = a * in;
  };
}

}  // namespace

TEST(MinimalResidual, SolvesIndefiniteSystems) {
  const Eigen::MatrixXd a = indefinite_matrix(30, 1);
  Random random(2);
  std::vector<Vec3> b(10), x(10, Vec3::Zero()), product(10);
  for (Vec3& v : b) v = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  const MinimalResidualReport report = minimal_residual(operator_of(a), b, 1e-10, 200, x);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 40);
  operator_of(a)(x, product);
  double residual = 0, size = 0;
  for (size_t i = 0; i < b.size(); ++i)
    residual += (b[i] - product[i]).squaredNorm(), size += b[i].squaredNorm();
  EXPECT_LT(std::sqrt(residual / size), 1e-9);
  // From the solution there is nothing left to do.
  EXPECT_LE(minimal_residual(operator_of(a), b, 1e-8, 200, x).iterations, 1);
}

TEST(MinimalResidual, TellsIfItDidNotConverge) {
  const Eigen::MatrixXd a = indefinite_matrix(30, 3);
  std::vector<Vec3> b(10, Vec3(1, -2, 3)), x(10, Vec3::Zero());
  const MinimalResidualReport report = minimal_residual(operator_of(a), b, 1e-12, 3, x);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_GT(report.residual, 1e-12);
  EXPECT_LT(report.residual, 1);
}

TEST(MinimalResidual, GivesZeroForZero) {
  const Eigen::MatrixXd a = indefinite_matrix(3, 4);
  std::vector<Vec3> b(1, Vec3::Zero()), x(1, Vec3(1, 2, 3));
  EXPECT_TRUE(minimal_residual(operator_of(a), b, 1e-8, 10, x).converged);
  EXPECT_TRUE(x[0].isZero(0));
}

}  // namespace heddle
