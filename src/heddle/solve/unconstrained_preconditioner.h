#pragma once

#include <heddle/solve/preconditioner.h>

#include <memory>

namespace heddle {

/// S P^-1 S with P made from the whole matrix, as if nothing were constrained: the published baseline that
/// Boxerman 2003, 5.3, compares constrained preconditioners with.
class UnconstrainedPreconditioner final : public Preconditioner {
 public:
  explicit UnconstrainedPreconditioner(std::unique_ptr<Preconditioner> inner) : inner_(std::move(inner)) {}

  void factor(const FilteredMatrix& matrix, PairCouplings& couplings) override;
  void couple(PairCouplings& couplings) override;
  void apply(std::vector<Vec3>& r, std::vector<Vec3>& z) override;
  size_t bytes() const override { return whole_.bytes() + inner_->bytes(); }

 private:
  std::unique_ptr<Preconditioner> inner_;
  FilteredMatrix whole_;
  BlockProjection projection_;
};

}  // namespace heddle
