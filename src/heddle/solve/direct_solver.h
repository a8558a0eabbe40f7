#pragma once

#include <heddle/solve/linear_solver.h>
#include <heddle/solve/residual_measure.h>

#include <Eigen/SparseCholesky>

namespace heddle {

/// The lower triangle of S A S + (I - S) with couplings as numbers in columns, in an order of the rows that
/// keeps the factors of a Cholesky factorisation sparse.
class ConstrainedSparse {
 public:
  /// Returns whether the places of numbers, or their order, changed. They do not as long as couplings need no
  /// new ones.
  bool assign(const BlockMatrix& matrix, const BlockProjection& projection, const PairCouplings& couplings);
  const Eigen::SparseMatrix<double>& lower() const { return lower_; }
  /// Place of each row in the order.
  const std::vector<int>& places() const { return place_; }
  size_t bytes() const;

 private:
  bool covers(const PairCouplings& couplings) const;
  void set_pattern(const PairCouplings& couplings);
  /// Adds a block of A if it is part of the lower triangle.
  void add(int row, int column, const Mat3& block);
  /// With its transpose.
  void add_block(int row, int column, const Mat3& block);
  void add_row(int row, const BlockMatrix& matrix, const std::vector<const Mat3*>& free);

  Shared<MatrixPattern> pattern_;  // of the last matrix
  std::vector<int> place_;         // per row
  BlockPattern columns_;           // per place: the places of the rows below, with its own
  Eigen::SparseMatrix<double> lower_;
};

/// Sparse Cholesky factorisation with projection and couplings handled exactly, and a few refinements against
/// rounding. Order and symbolic factor are kept as long as the pattern stays. On one thread.
class DirectSolver final : public LinearSolver {
 public:
  std::string_view name() const override { return "direct"; }
  SolverReport solve(const BlockMatrix& matrix, std::span<const Vec3> b, std::span<const Vec3> reference,
                     const BlockProjection& projection, const SolverSettings& settings, std::span<Vec3> x,
                     std::span<const PairCoupling> couplings = {}) override;
  size_t bytes() const override;

  /// How often the order and the symbolic factor were found, and numbers factored.
  int symbolic_count() const { return symbolic_count_; }
  int numeric_count() const { return numeric_count_; }

 private:
  /// False if the matrix is not positive definite.
  bool factor(const BlockMatrix& matrix, const BlockProjection& projection);
  /// x += S A^-1 r
  void correct(const BlockProjection& projection, std::span<Vec3> x);

  ConstrainedSparse sparse_;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> factor_;
  ResidualMeasure measure_;
  PairCouplings couplings_;
  std::vector<Vec3> r_;
  Eigen::VectorXd ordered_;
  int symbolic_count_ = 0, numeric_count_ = 0;
};

}  // namespace heddle
