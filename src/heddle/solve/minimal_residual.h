#pragma once

#include <heddle/math/types.h>

#include <functional>
#include <span>
#include <vector>

namespace heddle {

/// y = A x for a symmetric A that is known by what it does only.
using SymmetricOperator = std::function<void(std::span<const Vec3> x, std::span<Vec3> y)>;

struct MinimalResidualReport {
  int iterations = 0;
  double residual = 0;  // |b - A x| / |b|
  bool converged = false;
};

/// Solves A x = b from the x given, for symmetric matrices with eigenvalues of both signs (C. Paige and
/// M. Saunders, Solution of sparse indefinite systems of linear equations, 1975). Ends when the residual is
/// below `tolerance` of b. The same bits for any number of threads if the operator has that.
MinimalResidualReport minimal_residual(const SymmetricOperator& a, std::span<const Vec3> b, double tolerance,
                                       int most_iterations, std::vector<Vec3>& x);

}  // namespace heddle
