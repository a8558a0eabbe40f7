#pragma once

#include <heddle/solve/linear_solver.h>
#include <heddle/solve/preconditioner.h>
#include <heddle/solve/rounded_matrix.h>

#include <memory>

namespace heddle {

/// How modified conjugate gradients start and stop; z are the prescribed components of x.
enum class MpcgRule {
  /// Baraff and Witkin 1998: starts at x = z, stops at r.P^-1 r <= tolerance^2 Sb.P^-1 Sb.
  published,
  /// Boxerman 2003, Fig. 5.2: starts at S x_0 + z, stops at r.P^-1 r <= tolerance^2 c.P^-1 c with
  /// c = S (b - A z).
  corrected,
};

/// Modified preconditioned conjugate gradients with the two rules of the literature, for comparison: unlike
/// ConjugateGradient it measures the residual with its preconditioner, knows no reference, and does not begin
/// anew when rounding has spoilt the recursion. It goes on until net limits are met, too.
class ModifiedConjugateGradient final : public LinearSolver {
 public:
  ModifiedConjugateGradient(MpcgRule rule, std::unique_ptr<Preconditioner> preconditioner,
                            bool single_precision = false)
      : rule_(rule), preconditioner_(std::move(preconditioner)), single_precision_(single_precision) {}

  std::string_view name() const override { return rule_ == MpcgRule::published ? "mpcg_published" : "mpcg"; }
  SolverReport solve(const BlockMatrix& matrix, std::span<const Vec3> b, std::span<const Vec3> reference,
                     const BlockProjection& projection, const SolverSettings& settings, std::span<Vec3> x,
                     std::span<const PairCoupling> couplings = {}) override;
  size_t bytes() const override;

 private:
  void prepare(const BlockMatrix& matrix, const BlockProjection& projection, bool same_matrix,
               std::span<const PairCoupling> couplings);
  /// y = S A x, with couplings
  void multiply(std::span<const Vec3> x, std::vector<Vec3>& y);
  /// r = S (b - A x) from A itself, h = S P^-1 r; returns r.h.
  double reset_residual(const BlockMatrix& matrix, std::span<const Vec3> b, std::span<const Vec3> x);
  /// h = S P^-1 r; returns r.h.
  double precondition();
  /// The norm that the tolerance refers to.
  double scale_of(const BlockMatrix& matrix, std::span<const Vec3> b, std::span<const Vec3> x);
  double dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b);
  int iterate(double target, const SolverSettings& settings, double norm, std::span<Vec3> x);

  MpcgRule rule_;
  std::unique_ptr<Preconditioner> preconditioner_;
  bool single_precision_;
  RoundedMatrix single_matrix_;
  FilteredMatrix filtered_;  // for the preconditioner
  PairCouplings couplings_;
  std::vector<Vec3> r_, p_, s_, h_;  // with one spare entry, see FilteredMatrix
  std::vector<double> partial_;
  long row_products_ = 0;
};

}  // namespace heddle
