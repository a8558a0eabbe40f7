#include <heddle/solve/unconstrained_preconditioner.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

void UnconstrainedPreconditioner::factor(const FilteredMatrix& matrix, PairCouplings& couplings) {
  projection_ = matrix.projection();
  whole_ = matrix;
  whole_.constrain({});
  whole_.couple(couplings);
  inner_->factor(whole_, couplings);
}

void UnconstrainedPreconditioner::couple(PairCouplings& couplings) {
  whole_.couple(couplings);
  inner_->couple(couplings);
}

void UnconstrainedPreconditioner::apply(std::vector<Vec3>& r, std::vector<Vec3>& z) {
  parallel_for(whole_.row_count(), [&](int row) {
    const auto i = static_cast<size_t>(row);
    store(times(whole_.diagonal_inverse(row), load(r[i])), z[i]);
  });
  inner_->apply(r, z);
  projection_.apply(z);
}

}  // namespace heddle
