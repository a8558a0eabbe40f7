#pragma once

#include <heddle/solve/filtered_matrix.h>

#include <span>

namespace heddle {

/// An approximate inverse P^-1 of a matrix on the free directions of its projection S.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// Takes a new matrix, which must stay as it is until the last apply(); what depends on its pattern alone
  /// is kept from call to call.
  virtual void factor(const FilteredMatrix& matrix) = 0;
  /// z = S P^-1 S r: symmetric, and positive on the free directions, as conjugate gradients need it.
  virtual void apply(std::span<const Vec3> r, std::span<Vec3> z) = 0;
};

/// Inverse diagonal blocks: the preconditioner that costs nothing to build.
class BlockJacobi final : public Preconditioner {
 public:
  void factor(const FilteredMatrix& matrix) override { matrix_ = &matrix; }
  void apply(std::span<const Vec3> r, std::span<Vec3> z) override;

 private:
  const FilteredMatrix* matrix_ = nullptr;
};

}  // namespace heddle
