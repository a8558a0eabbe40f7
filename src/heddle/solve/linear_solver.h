#pragma once

#include <heddle/math/block_matrix.h>
#include <heddle/math/block_projection.h>
#include <heddle/solve/pair_coupling.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace heddle {

/// The sum of r over some rows must not be longer than this.
struct NetLimit {
  RowRange rows;
  double length = 0;
};

struct SolverSettings {
  double tolerance = 1e-3;  // of the reference norm, see LinearSolver::solve()
  int max_iterations = 1000;
  double negligible = 0;          // residuals with r.D^-1 r below this are as good as zero
  bool same_matrix = false;       // as in the last call; only b, x, the projection and couplings are new
  bool similar_matrix = false;    // nearly as in the last call: preconditioners may be kept
  bool resembles_last = false;    // the solution does that of the last call: solvers may start from it
  std::span<const Vec3> driving;  // takes the place of b in the tolerance, if it is given
  std::span<const NetLimit> net_limits;  // besides the tolerance
};

struct SolverReport {
  int iterations = 0;
  long row_products = 0;         // rows of A times a vector; what preconditioners multiply is not counted
  double relative_residual = 0;  // at the end, against the reference
  double target = 0;             // squared norm of r at which it stops
  bool converged = false;        // the tolerance and all limits are met
};

/// Finds x = x_0 + S y with S (b - A x) = 0 for a symmetric positive definite A and the projection S onto the
/// free directions (Baraff and Witkin 1998). Keeps its memory from call to call.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual std::string_view name() const = 0;

  /// `x` holds the start; its constrained components are the prescribed ones and stay. Couplings of pairs are
  /// added to the matrix. Unless the method says otherwise it stops when
  ///   r.D^-1 r <= tolerance^2 max(b.D^-1 b, reference.D^-1 reference)
  /// with filtered vectors and the diagonal blocks D of A, whatever the preconditioner; `reference` keeps the
  /// tolerance meaningful when b vanishes (equilibrium).
  virtual SolverReport solve(const BlockMatrix& matrix, std::span<const Vec3> b,
                             std::span<const Vec3> reference, const BlockProjection& projection,
                             const SolverSettings& settings, std::span<Vec3> x,
                             std::span<const PairCoupling> couplings = {}) = 0;

  /// Memory that it holds.
  virtual size_t bytes() const = 0;
};

/// Whether sums of r keep a share of their limits.
bool keeps(std::span<const NetLimit> limits, double share, std::span<const Vec3> r);

/// r = S (b - A x), with couplings.
void find_residual(const BlockMatrix& matrix, PairCouplings& couplings, const BlockProjection& projection,
                   std::span<const Vec3> b, std::span<const Vec3> x, std::span<Vec3> r);

}  // namespace heddle
