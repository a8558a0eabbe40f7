#pragma once

#include <Eigen/Eigenvalues>

namespace heddle {

/// Takes what is negative out of a symmetric matrix.
template <int N>
void make_positive(Eigen::Matrix<double, N, N>& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> eigen(matrix);
  if (eigen.eigenvalues()[0] >= 0) return;
  matrix = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
           eigen.eigenvectors().transpose();
}

}  // namespace heddle
