#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// The nearest positive-semidefinite matrix: negative eigenvalues become zero.
Mat2 positive_part(const Mat2& symmetric);
Mat3 positive_part(const Mat3& symmetric);

/// Inverse on the eigenvectors whose eigenvalues exceed `least` times the largest, zero on the others; for
/// positive-semidefinite matrices.
Mat3 pseudo_inverse(const Mat3& symmetric, double least);

/// Eigenvalues of a symmetric 2x2 matrix, larger first.
Vec2 symmetric_eigenvalues(const Mat2& symmetric);

}  // namespace heddle
