#include <heddle/solve/conjugate_gradient.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) { return static_cast<size_t>(i); }

}  // namespace

void BlockJacobi::factor(const BlockMatrix& matrix) {
  inverse_.resize(at(matrix.row_count()));
  parallel_for(matrix.row_count(), [&](int row) { inverse_[at(row)] = matrix.diagonal(row).inverse(); });
}

double ConjugateGradient::norm_of(std::span<const Vec3> values, const BlockProjection& projection) {
  const int n = static_cast<int>(values.size());
  std::copy(values.begin(), values.end(), s_.begin());
  projection.apply(s_);
  return ordered_sum(n, 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += s_[at(i)].dot(preconditioner_.apply(i, s_[at(i)]));
    return sum;
  });
}

ConjugateGradientReport ConjugateGradient::solve(const BlockMatrix& matrix, std::span<const Vec3> b,
                                                 std::span<const Vec3> reference,
                                                 const BlockProjection& projection,
                                                 const ConjugateGradientSettings& settings, std::span<Vec3> x) {
  const int n = matrix.row_count();
  HEDDLE_CHECK_EQ(static_cast<int>(b.size()), n);
  HEDDLE_CHECK_EQ(static_cast<int>(x.size()), n);
  for (auto* vector : {&r_, &d_, &q_, &s_}) vector->resize(at(n));
  preconditioner_.factor(matrix);

  const double target = settings.tolerance * settings.tolerance *
                        std::max(norm_of(b, projection), norm_of(reference, projection));
  matrix.multiply(x, q_);
  parallel_for(n, [&](int i) { r_[at(i)] = b[at(i)] - q_[at(i)]; });
  projection.apply(r_);
  // s = S P^-1 r, and the new r.s: the projection is only needed where something is constrained.
  const auto precondition = [&] {
    parallel_for(n, [&](int i) { s_[at(i)] = preconditioner_.apply(i, r_[at(i)]); });
    projection.apply(s_);
    return ordered_sum(n, 0.0, partial_, [&](int begin, int end) {
      double sum = 0;
      for (int i = begin; i < end; ++i) sum += r_[at(i)].dot(s_[at(i)]);
      return sum;
    });
  };
  double rho = precondition();
  d_ = s_;
  ConjugateGradientReport report;
  while (rho > target && report.iterations < settings.max_iterations) {
    matrix.multiply(d_, q_);
    projection.apply(q_);
    const double curvature = ordered_sum(n, 0.0, partial_, [&](int begin, int end) {
      double sum = 0;
      for (int i = begin; i < end; ++i) sum += d_[at(i)].dot(q_[at(i)]);
      return sum;
    });
    if (!(curvature > 0)) break;  // not positive definite, or not a number: the caller judges
    const double alpha = rho / curvature;
    parallel_for(n, [&](int i) {
      x[at(i)] += alpha * d_[at(i)];
      r_[at(i)] -= alpha * q_[at(i)];
    });
    const double next = precondition();
    const double beta = next / rho;
    rho = next;
    parallel_for(n, [&](int i) { d_[at(i)] = s_[at(i)] + beta * d_[at(i)]; });
    ++report.iterations;
  }
  report.relative_residual = target > 0 ? settings.tolerance * std::sqrt(rho / target) : (rho > 0 ? INFINITY : 0);
  report.converged = rho <= target;
  return report;
}

}  // namespace heddle
