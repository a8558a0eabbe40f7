#pragma once

#include <heddle/solve/linear_solver.h>
#include <heddle/solve/preconditioner.h>

#include <memory>
#include <span>
#include <vector>

namespace heddle {

/// Preconditioned conjugate gradients restricted to the free directions. Products are taken with a
/// single-precision copy of A; the residual that ends the solve is that of A itself.
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
  double multiply();         // q = A d; returns d.q
  double multiply_matrix();  // q = A d without couplings; returns d.q
  double multiply_matrix_exactly();
  double advance(double alpha, std::span<Vec3> x);  // returns the squared norm of the new residual
  double precondition(double norm);                 // s = P^-1 r; returns r.s

  std::unique_ptr<Preconditioner> preconditioner_;
  bool factored_ = false;  // the preconditioner knows filtered_
  bool kept_ = false;      // but only one like it
  FilteredMatrix filtered_;
  PairCouplings couplings_;
  std::vector<Vec3> r_, d_, q_, s_;  // with one spare entry, see FilteredMatrix
  std::vector<double> partial_;
  long row_products_ = 0;
  const BlockMatrix* exact_ = nullptr;  // set while iterations use double precision throughout
};

}  // namespace heddle
