#include <heddle/math/symmetric_eigen.h>

#include <Eigen/Eigenvalues>

#include <cmath>

namespace heddle {

Vec2 symmetric_eigenvalues(const Mat2& s) {
  const double mean = 0.5 * (s(0, 0) + s(1, 1));
  const double half = 0.5 * (s(0, 0) - s(1, 1));
  const double radius = std::sqrt(half * half + s(0, 1) * s(0, 1));
  return {mean + radius, mean - radius};
}

Mat2 positive_part(const Mat2& s) {
  const Vec2 values = symmetric_eigenvalues(s);
  if (values[1] >= 0) return s;
  if (values[0] <= 0) return Mat2::Zero();
  // s = a P + b (I - P) with a > 0 > b, hence the part that stays is a P = a (s - b I) / (a - b).
  return values[0] / (values[0] - values[1]) * (s - values[1] * Mat2::Identity());
}

Mat3 positive_part(const Mat3& s) {
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  solver.computeDirect(s);
  const Vec3 values = solver.eigenvalues().cwiseMax(0.0);
  return solver.eigenvectors() * values.asDiagonal() * solver.eigenvectors().transpose();
}

Mat3 pseudo_inverse(const Mat3& symmetric, double least) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(symmetric);
  Vec3 values = eigen.eigenvalues();
  const double bound = least * values.maxCoeff();
  for (double& value : values) value = value > bound ? 1 / value : 0;
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace heddle
