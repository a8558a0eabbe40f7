#pragma once

#include <heddle/solve/linear_solver.h>

namespace heddle {

/// Solves (D + C) x = b within the free directions, where D has one number for each row and C are couplings:
/// conjugate gradients on the coupled rows alone, preconditioned by the diagonal blocks. The others keep
/// their x, which must solve them. Keeps its memory from call to call.
class CoupledDiagonal {
 public:
  /// As LinearSolver::solve() with b as the reference; settings that are not about tolerance and iterations
  /// have no effect.
  SolverReport solve(std::span<const double> diagonal, std::span<const Vec3> b,
                     const BlockProjection& projection, const SolverSettings& settings, std::span<Vec3> x,
                     std::span<const PairCoupling> couplings);

 private:
  /// Numbers the coupled rows.
  void gather(std::span<const PairCoupling> couplings, std::span<const Vec3> b, std::span<const Vec3> x);
  void take_blocks(std::span<const double> diagonal, const BlockProjection& projection);
  double reset_residual();                    // returns the squared norm
  double norm(std::span<const Vec3> values);  // r.P^-1 r
  void multiply(std::span<const Vec3> values, std::span<Vec3> product);
  int iterate(double target, int max_iterations, double rho);

  std::vector<int> rows_;  // coupled ones, ascending; all that follows counts by them
  std::vector<PairCoupling> local_;
  PairCouplings couplings_;
  std::vector<double> diagonal_;
  std::vector<Mat3> inverse_, free_;  // of the diagonal blocks within the free directions
  std::vector<Vec3> b_, x_, r_, d_, q_;
  long row_products_ = 0;
};

}  // namespace heddle
