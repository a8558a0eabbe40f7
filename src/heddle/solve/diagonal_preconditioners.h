#pragma once

#include <heddle/solve/preconditioner.h>

namespace heddle {

/// P = I
class NoPreconditioner final : public Preconditioner {
 public:
  void factor(const FilteredMatrix&, PairCouplings&) override {}
  void apply(std::vector<Vec3>& r, std::vector<Vec3>& z) override { z = r; }
};

/// P = the diagonal numbers of A within the free directions (Baraff and Witkin 1998, there not constrained).
class Jacobi final : public Preconditioner {
 public:
  void factor(const FilteredMatrix& matrix, PairCouplings& couplings) override;
  void couple(PairCouplings& couplings) override;
  void apply(std::vector<Vec3>& r, std::vector<Vec3>& z) override;
  size_t bytes() const override { return bytes_of(inverse_); }

 private:
  const FilteredMatrix* matrix_ = nullptr;
  std::vector<Mat3> inverse_;
};

/// P = the diagonal blocks of S A S: the constrained preconditioner P = S C S + (I - S) of Boxerman 2003,
/// (5.4) in its symmetric form, or his "A-Block" if it is not constrained.
class BlockJacobi final : public Preconditioner {
 public:
  void factor(const FilteredMatrix&, PairCouplings&) override {}
  void apply(std::vector<Vec3>&, std::vector<Vec3>&) override {}
  bool is_block_jacobi() const override { return true; }
};

}  // namespace heddle
