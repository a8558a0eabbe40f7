#pragma once

#include <heddle/math/block_matrix.h>

#include <vector>

namespace heddle {

using DenseMatrix = std::vector<std::vector<double>>;

DenseMatrix dense_matrix(const BlockMatrix& matrix);

/// x of A x = b by Gaussian elimination with pivots: for small matrices that need not be symmetric, as the
/// solvers of heddle want them.
std::vector<double> solve_dense(DenseMatrix a, std::vector<double> b);

}  // namespace heddle
