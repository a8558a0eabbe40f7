#include <heddle/math/symmetric_eigen.h>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include <random>

namespace heddle {
namespace {

template <class Matrix>
Matrix random_symmetric(std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  const Matrix a = Matrix::NullaryExpr([&] { return value(random); });
  return a + a.transpose();
}

/// V max(L, 0) V^T with Eigen's iterative solver.
template <class Matrix>
Matrix reference(const Matrix& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() *
         solver.eigenvectors().transpose();
}

template <class Matrix>
void expect_reference(const Matrix& a) {
  EXPECT_LT((positive_part(a) - reference(a)).norm(), 1e-12 * std::max(1.0, a.norm())) << a;
}

TEST(PositivePart, AgreesWithAnIterativeSolver) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    expect_reference<Mat2>(random_symmetric<Mat2>(random));
    expect_reference<Mat3>(random_symmetric<Mat3>(random));
  }
}

TEST(PositivePart, HandlesRepeatedAndZeroEigenvalues) {
  for (const double s : {0.0, 1.0, -1.0, 1e6, -1e-9}) {
    expect_reference<Mat2>(s * Mat2::Identity());
    expect_reference<Mat3>(s * Mat3::Identity());
    const Vec3 u = Vec3(1, -2, 2) / 3;
    expect_reference<Mat3>(s * u * u.transpose());
    expect_reference<Mat3>(s * (Mat3::Identity() - 2 * u * u.transpose()));
  }
}

TEST(PositivePart, KeepsPositiveMatricesAndDropsNegativeOnes) {
  Mat3 positive = Vec3(1, 2, 3).asDiagonal();
  positive(0, 1) = positive(1, 0) = 0.5;
  EXPECT_LT((positive_part(positive) - positive).norm(), 1e-14);
  EXPECT_LT(positive_part(Mat3(-positive)).norm(), 1e-14);
}

TEST(SymmetricEigenvalues, ComeLargerFirst) {
  Mat2 a;
  a << 2, 1, 1, 2;
  EXPECT_LT((symmetric_eigenvalues(a) - Vec2(3, 1)).norm(), 1e-14);
  EXPECT_LT((symmetric_eigenvalues(Mat2(-a)) - Vec2(-1, -3)).norm(), 1e-14);
}

}  // namespace
}  // namespace heddle
