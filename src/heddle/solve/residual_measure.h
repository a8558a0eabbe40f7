#pragma once

#include <heddle/solve/linear_solver.h>

namespace heddle {

/// The squared norm r.D^-1 r by which solves end: D are the diagonal blocks of a matrix with couplings within
/// the free directions.
class ResidualMeasure {
 public:
  void assign(const BlockMatrix& matrix, const BlockProjection& projection, const PairCouplings& couplings);
  double norm(std::span<const Vec3> values);
  /// Of one row.
  double norm(int row, const Vec3& value) const {
    return value.dot(inverse_[static_cast<size_t>(row)] * value);
  }
  /// At which a solve may end.
  double target(const SolverSettings& settings, std::span<const Vec3> b, std::span<const Vec3> reference);
  size_t bytes() const { return bytes_of(inverse_, partial_); }

 private:
  std::vector<Mat3> inverse_;
  std::vector<double> partial_;
};

/// The relative residual of a report: tolerance sqrt(norm / target).
double relative_residual(double tolerance, double norm, double target);

}  // namespace heddle
