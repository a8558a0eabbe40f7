#pragma once

#include <heddle/solve/filtered_matrix.h>

#include <vector>

namespace heddle {

/// An approximate inverse P^-1 of a matrix on the free directions of its projection S.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// Takes a new matrix and couplings that are added to it, which must stay as they are until the last
  /// apply(); what depends on the pattern alone is kept from call to call.
  virtual void factor(const FilteredMatrix& matrix, PairCouplings& couplings) = 0;
  /// Takes other couplings for the same matrix. To know them only by the inverse diagonal blocks is enough,
  /// but stiff ones then cost many iterations.
  virtual void couple(PairCouplings& couplings) {}
  /// z = S P^-1 S r: symmetric, and positive on the free directions, as conjugate gradients need it.
  /// On entry z holds D^-1 r, with the inverse diagonal blocks of the matrix. Both have one spare entry,
  /// because vectors are read four values at a time; r is filtered, and unchanged on return.
  virtual void apply(std::vector<Vec3>& r, std::vector<Vec3>& z) = 0;
  /// Whether apply() leaves z as it is, so that solvers need not call it.
  virtual bool is_block_jacobi() const { return false; }
  /// Memory that it holds.
  virtual size_t bytes() const { return 0; }
};

}  // namespace heddle
