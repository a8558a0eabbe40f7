#pragma once

#include <heddle/solve/preconditioner.h>

#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace heddle {

/// The sum of r over some rows must not be longer than this.
struct NetLimit {
  int begin = 0, end = 0;  // rows
  double length = 0;
};

struct ConjugateGradientSettings {
  double tolerance = 1e-3;  // of the reference norm, see solve()
  int max_iterations = 1000;
  double negligible = 0;          // residuals with r.P^-1 r below this are as good as zero
  bool same_matrix = false;       // as in the last call; only b, x, the projection and couplings are new
  std::span<const Vec3> driving;  // takes the place of b in the tolerance, if it is given
  std::span<const NetLimit> net_limits;  // besides the tolerance
};

struct ConjugateGradientReport {
  int iterations = 0;
  double relative_residual = 0;  // at the end, against the reference
  double target = 0;             // r.D^-1 r at which it stops
  bool converged = false;
};

/// Preconditioned conjugate gradients restricted to the free directions of a projection S:
/// finds x = x_0 + S y with S (b - A x) = 0 (Baraff and Witkin 1998). Keeps its vectors from call to call.
/// Products are taken with a single-precision copy of A; the residual that ends the solve is that of A
/// itself. To A may be added couplings of pairs.
class ConjugateGradient {
 public:
  /// Without a preconditioner it uses block-Jacobi, at the cost of one pass over the vectors less.
  explicit ConjugateGradient(std::unique_ptr<Preconditioner> preconditioner = nullptr)
      : preconditioner_(std::move(preconditioner)) {}

  /// `x` holds the start; its constrained components are the prescribed ones and stay.
  /// Stops when r.D^-1 r <= tolerance^2 max(b.D^-1 b, reference.D^-1 reference), with filtered vectors and
  /// the diagonal blocks D of A, whatever the preconditioner; `reference` keeps the tolerance meaningful when
  /// b vanishes (equilibrium).
  ConjugateGradientReport solve(const BlockMatrix& matrix, std::span<const Vec3> b,
                                std::span<const Vec3> reference, const BlockProjection& projection,
                                const ConjugateGradientSettings& settings, std::span<Vec3> x,
                                std::span<const PairCoupling> couplings = {});

  /// b - A x of the last solve in the free directions.
  std::span<const Vec3> residual() const { return r_; }

 private:
  void prepare(const BlockMatrix& matrix, const BlockProjection& projection, bool same_matrix,
               std::span<const PairCoupling> couplings);
  /// Brings the preconditioner up to date.
  void factor();
  /// Squared D^-1 norm.
  double norm_of(std::span<const Vec3> values);
  /// Whether sums of r keep a share of their limits.
  bool keeps(std::span<const NetLimit> limits, double share) const;
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
  FilteredMatrix filtered_;
  PairCouplings couplings_;
  std::vector<Vec3> r_, d_, q_, s_;  // with one spare entry, see FilteredMatrix
  std::vector<double> partial_;
  const BlockMatrix* exact_ = nullptr;  // set while iterations use double precision throughout
};

}  // namespace heddle
