#include <heddle/solve/diagonal_preconditioners.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

Mat3 invert(const FilteredMatrix& matrix, int row, const Mat3& extra) {
  const Mat3 diagonal = (matrix.diagonal(row) + extra).diagonal().asDiagonal();
  return matrix.is_filtered(row) ? inverse_within(diagonal, matrix.free(row)) : positive_inverse(diagonal);
}

}  // namespace

void Jacobi::factor(const FilteredMatrix& matrix, PairCouplings& couplings) {
  matrix_ = &matrix;
  couple(couplings);
}

void Jacobi::couple(PairCouplings& couplings) {
  inverse_.resize(at(matrix_->row_count()));
  parallel_for(matrix_->row_count(),
               [&](int row) { inverse_[at(row)] = invert(*matrix_, row, Mat3::Zero()); });
  parallel_for(static_cast<int>(couplings.rows().size()), [&](int k) {
    const int row = couplings.rows()[at(k)];
    inverse_[at(row)] = invert(*matrix_, row, couplings.diagonal(k));
  });
}

void Jacobi::apply(std::vector<Vec3>& r, std::vector<Vec3>& z) {
  parallel_for(matrix_->row_count(),
               [&](int row) { store(times(inverse_[at(row)], load(r[at(row)])), z[at(row)]); });
}

}  // namespace heddle
