#pragma once

#include <heddle/solve/linear_solver.h>
#include <heddle/solve/preconditioner.h>

#include <memory>
#include <span>
#include <vector>

namespace heddle {

/// Preconditioned conjugate gradients restricted to the free directions. Products are taken with
/// the matrix itself, of which nothing is copied but the inverse of its diagonal.
class ConjugateGradient final : public LinearSolver {
 public:
  /// Block-Jacobi is built in: without a preconditioner, or with that one, a pass over the vectors is saved.
  explicit ConjugateGradient(std::unique_ptr<Preconditioner> preconditioner = nullptr);

  std::string_view name() const override { return "conjugate_gradient"; }
  SolverReport solve(const BlockMatrix& matrix, std::span<const Vec3> b, std::span<const Vec3> reference,
                     const BlockProjection& projection, const SolverSettings& settings, std::span<Vec3> x,
                     std::span<const PairCoupling> couplings = {}) override;
  size_t bytes() const override;

 private:
  void prepare(const BlockMatrix& matrix, const BlockProjection& projection, const SolverSettings& settings,
               std::span<const PairCoupling> couplings);
  /// Brings the preconditioner up to date.
  void factor();
  /// Squared D^-1 norm.
  double norm_of(std::span<const Vec3> values);
  double reset_residual(const BlockMatrix& matrix, std::span<const Vec3> b, std::span<const Vec3> x);
  /// Until the squared norm and the sum of r are small enough.
  int iterate(double target, std::span<const NetLimit> limits, double norm, int max_iterations,
              std::span<Vec3> x);
  double multiply();                                // s = A d; returns d.s
  double advance(double alpha, std::span<Vec3> x);  // returns the squared norm of the new residual
  double precondition(double norm);                 // s = P^-1 r; returns r.s

  std::unique_ptr<Preconditioner> preconditioner_;
  bool factored_ = false;  // the preconditioner knows filtered_
  bool kept_ = false;      // but only one like it
  FilteredMatrix filtered_;
  PairCouplings couplings_;
  std::vector<Vec3> r_, d_;  // with one spare entry, see Preconditioner
  std::vector<Vec3> s_;      // P^-1 r and A d by turns
  std::vector<double> partial_;
  long row_products_ = 0;
  bool plain_ = false;  // iterations are preconditioned by the diagonal blocks alone
};

}  // namespace heddle
