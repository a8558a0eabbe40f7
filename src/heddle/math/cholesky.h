#pragma once

#include <heddle/math/types.h>

#include <Eigen/Cholesky>

namespace heddle {

/// The upper triangle U with U^T U = a, for a symmetric positive definite.
inline Mat3 upper_cholesky(const Mat3& a) {
  return Eigen::LLT<Mat3>(a).matrixU();
}

}  // namespace heddle
