#include <heddle/solve/residual_measure.h>

#include <heddle/parallel/parallel.h>
#include <heddle/solve/filtered_matrix.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void ResidualMeasure::assign(const BlockMatrix& matrix, const BlockProjection& projection,
                             const PairCouplings& couplings) {
  inverse_.resize(at(matrix.row_count()));
  parallel_for(matrix.row_count(), [&](int row) { inverse_[at(row)] = matrix.diagonal(row); });
  for (size_t k = 0; k < couplings.rows().size(); ++k)
    inverse_[at(couplings.rows()[k])] += couplings.diagonal(static_cast<int>(k));
  std::vector<const Mat3*> free(at(matrix.row_count()));
  for (size_t k = 0; k < projection.particles().size(); ++k)
    free[at(projection.particles()[k])] = &projection.free(k);
  parallel_for(matrix.row_count(), [&](int row) {
    Mat3& block = inverse_[at(row)];
    block = free[at(row)] ? inverse_within(block, *free[at(row)]) : positive_inverse(Mat3(block));
  });
}

double ResidualMeasure::norm(std::span<const Vec3> values) {
  return ordered_sum(static_cast<int>(inverse_.size()), 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int row = begin; row < end; ++row) sum += norm(row, values[at(row)]);
    return sum;
  });
}

double ResidualMeasure::target(const SolverSettings& settings, std::span<const Vec3> b,
                               std::span<const Vec3> reference) {
  const double own = norm(settings.driving.empty() ? b : settings.driving), other = norm(reference);
  if (!std::isfinite(own + other)) return NAN;
  return std::max(settings.negligible, settings.tolerance * settings.tolerance * std::max(own, other));
}

double relative_residual(double tolerance, double norm, double target) {
  if (target > 0) return tolerance * std::sqrt(norm / target);
  return norm == 0 ? 0 : INFINITY;
}

}  // namespace heddle
