#pragma once

#include <heddle/solve/preconditioner.h>

namespace heddle {

/// Incomplete Cholesky factorisation without fill, in 3x3 blocks,
///   P = (D + L) D^-1 (D + L)^T,   L_ij = A_ij - sum_k L_ik D_k^-1 L_jk^T,   D_i = A_ii - sum_k L_ik D_k^-1
///   L_ik^T,
/// with the blocks where A has some. Where a D_i would not be positive, all A_ii grow by a few per cent and
/// it begins anew (Manteuffel 1980). D knows couplings, L does not. On one thread. Hand-written because
/// Eigen's works on single numbers and adds fill with the wrong sign (3.4).
class IncompleteCholesky final : public Preconditioner {
 public:
  void factor(const FilteredMatrix& matrix, PairCouplings& couplings) override;
  void couple(PairCouplings& couplings) override;
  void apply(std::vector<Vec3>& r, std::vector<Vec3>& z) override;
  size_t bytes() const override {
    return lower_.bytes() + bytes_of(values_, diagonal_, inverse_, scaled_, sum_);
  }

 private:
  void set_pattern();
  void load_blocks();
  /// False if some D_i is not positive.
  bool try_factor(double growth);
  bool finish_row(int row, double growth);
  /// P = D: always possible.
  void give_up();
  Eigen::Map<Eigen::Matrix3f> block(int slot) {
    return Eigen::Map<Eigen::Matrix3f>(values_.data() + BlockMatrix::kBlock * slot);
  }

  const FilteredMatrix* matrix_ = nullptr;
  Shared<MatrixPattern> pattern_;  // that lower_ was made for
  BlockPattern lower_;             // left of the diagonal
  std::vector<float> values_;
  std::vector<Mat3> diagonal_;  // of A with couplings
  std::vector<Mat3> inverse_;   // D^-1
  std::vector<Mat3> scaled_;    // L_ik D_k^-1 of one row
  std::vector<Vec3> sum_;       // L^T z as far as it is known
};

}  // namespace heddle
