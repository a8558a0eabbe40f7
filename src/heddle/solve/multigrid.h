#pragma once

#include <heddle/solve/hierarchy.h>
#include <heddle/solve/preconditioner.h>

#include <Eigen/Cholesky>

#include <memory>
#include <vector>

namespace heddle {

/// One V-cycle of multigrid on groups of rows, with one damped block-Jacobi step before and after each
/// correction. The damping of 1/2 suits sums of positive elements of up to four particles each, for which
/// block-Jacobi on the finest level has eigenvalues below 4; if it diverged, the cycle would be indefinite.
class Multigrid final : public Preconditioner {
 public:
  void factor(const FilteredMatrix& matrix, PairCouplings& couplings) override;
  void couple(PairCouplings& couplings) override;
  void apply(std::vector<Vec3>& r, std::vector<Vec3>& z) override;
  size_t bytes() const override;

  /// Rows of each level, the finest first.
  std::vector<int> level_sizes() const;

 private:
  /// Of one level, each with one spare entry, see Preconditioner.
  struct Vectors {
    std::vector<Vec3> b;        // right side
    std::vector<Vec3> z;        // D^-1 b, then about A^-1 b
    std::vector<Vec3> product;  // A z
    size_t bytes() const { return bytes_of(b, z, product); }
    void resize(int rows) {
      b = z = product = std::vector<Vec3>(static_cast<size_t>(rows) + 1, Vec3::Zero());
    }
  };
  /// A coarser level and the way to it.
  struct Level {
    Interpolation interpolation;
    std::unique_ptr<GalerkinProduct> product;
    CoarseMatrix matrix;
    PairCouplings couplings;
    Vectors vectors;
  };
  void build();
  /// False if the rows do not group.
  bool add_level(const MatrixPattern& fine);
  void factor_coarsest();
  PairCouplings& couplings(size_t level) {
    return level == 0 ? *finest_couplings_ : levels_[level - 1].couplings;
  }
  /// v.product = A z
  template <class Matrix>
  void multiply(const Matrix& a, size_t level, Vectors& v);
  void cycle(size_t level, Vectors& vectors);
  template <class Matrix>
  void cycle(const Matrix& a, size_t level, Vectors& vectors);
  template <class Matrix>
  void smooth(const Matrix& a, size_t level, Vectors& vectors);
  void solve_directly(Vectors& vectors);

  const FilteredMatrix* finest_ = nullptr;
  PairCouplings* finest_couplings_ = nullptr;
  Shared<MatrixPattern> pattern_;  // that the levels were built for
  bool is_built_ = false;
  std::vector<Level> levels_;
  Vectors vectors_;  // of the finest level, where b and z are those of the caller
  Eigen::LLT<Eigen::MatrixXd> coarsest_;
  bool is_coarsest_factored_ = false;
  bool direct_ = false;  // the coarsest level is small enough for coarsest_
};

}  // namespace heddle
