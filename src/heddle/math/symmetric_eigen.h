#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// The nearest positive-semidefinite matrix: negative eigenvalues become zero.
Mat2 positive_part(const Mat2& symmetric);
Mat3 positive_part(const Mat3& symmetric);

/// Eigenvalues of a symmetric 2x2 matrix, larger first.
Vec2 symmetric_eigenvalues(const Mat2& symmetric);

}  // namespace heddle
