#include <heddle/solve/modified_conjugate_gradient.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// The recursion stops this far below the target, because of its rounding.
constexpr double kSafety = 0.98;

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void ModifiedConjugateGradient::prepare(const BlockMatrix& matrix, const BlockProjection& projection,
                                        bool same_matrix, std::span<const PairCoupling> couplings) {
  couplings_.assign(couplings, matrix.row_count());
  if (!same_matrix) {
    filtered_.assign(matrix, projection);
    if (single_precision_) single_matrix_.assign(matrix);
  } else {
    filtered_.set_matrix(matrix);
    filtered_.constrain(projection);
  }
  filtered_.couple(couplings_);
  preconditioner_->factor(filtered_, couplings_);
  for (auto* vector : {&r_, &p_, &s_, &h_}) vector->assign(at(matrix.row_count()) + 1, Vec3::Zero());
  row_products_ = 0;
}

void ModifiedConjugateGradient::multiply(std::span<const Vec3> x, std::vector<Vec3>& y) {
  if (single_precision_)
    single_matrix_.multiply(x, y);
  else
    filtered_.matrix().multiply(x, y);
  if (!couplings_.empty()) couplings_.add_product(x, 1, y);
  filtered_.filter(y);
  row_products_ += filtered_.row_count();
}

double ModifiedConjugateGradient::reset_residual(const BlockMatrix& matrix, std::span<const Vec3> b,
                                                 std::span<const Vec3> x) {
  find_residual(matrix, couplings_, filtered_.projection(), b, x, r_);
  row_products_ += filtered_.row_count();
  return precondition();
}

double ModifiedConjugateGradient::dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return ordered_sum(filtered_.row_count(), 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += a[at(i)].dot(b[at(i)]);
    return sum;
  });
}

double ModifiedConjugateGradient::precondition() {
  parallel_for(filtered_.row_count(), [&](int i) { h_[at(i)] = filtered_.diagonal_inverse(i) * r_[at(i)]; });
  preconditioner_->apply(r_, h_);
  return dot(r_, h_);
}

double ModifiedConjugateGradient::scale_of(const BlockMatrix& matrix, std::span<const Vec3> b,
                                           std::span<const Vec3> x) {
  std::vector<Vec3>& prescribed = p_;
  std::fill(prescribed.begin(), prescribed.end(), Vec3::Zero());
  const BlockProjection& projection = filtered_.projection();
  if (rule_ == MpcgRule::corrected)
    for (size_t k = 0; k < projection.particles().size(); ++k) {
      const size_t i = at(projection.particles()[k]);
      prescribed[i] = x[i] - projection.free(k) * x[i];
    }
  return reset_residual(matrix, b, prescribed);
}

int ModifiedConjugateGradient::iterate(double target, const SolverSettings& settings, double norm,
                                       std::span<Vec3> x) {
  const int n = filtered_.row_count();
  p_ = h_;
  int iterations = 0;
  while ((norm > target || !keeps(settings.net_limits, kSafety, r_)) &&
         iterations < settings.max_iterations) {
    multiply(p_, s_);
    const double curvature = dot(p_, s_);
    if (!(curvature > 0)) break;  // not positive definite, or not a number
    const double alpha = norm / curvature;
    parallel_for(n, [&](int i) {
      x[at(i)] += alpha * p_[at(i)];
      r_[at(i)] -= alpha * s_[at(i)];
    });
    const double before = norm;
    norm = precondition();
    const double beta = norm / before;
    parallel_for(n, [&](int i) { p_[at(i)] = h_[at(i)] + beta * p_[at(i)]; });
    ++iterations;
  }
  return iterations;
}

SolverReport ModifiedConjugateGradient::solve(const BlockMatrix& matrix, std::span<const Vec3> b,
                                              std::span<const Vec3> reference,
                                              const BlockProjection& projection,
                                              const SolverSettings& settings, std::span<Vec3> x,
                                              std::span<const PairCoupling> couplings) {
  HEDDLE_CHECK_EQ(b.size(), at(matrix.row_count()));
  HEDDLE_CHECK_EQ(x.size(), at(matrix.row_count()));
  prepare(matrix, projection, settings.same_matrix, couplings);
  if (rule_ == MpcgRule::published) {
    std::vector<Vec3> free(x.begin(), x.end());
    projection.apply(free);
    parallel_for(matrix.row_count(), [&](int i) { x[at(i)] -= free[at(i)]; });
  }
  SolverReport report{.relative_residual = INFINITY};
  const double scale = scale_of(matrix, settings.driving.empty() ? b : settings.driving, x);
  if (!std::isfinite(scale) || scale < 0) return report;
  report.target = std::max(settings.negligible, settings.tolerance * settings.tolerance * scale);
  report.iterations = iterate(kSafety * report.target, settings, reset_residual(matrix, b, x), x);
  // What the recursion says of the residual drifts; the report tells the truth.
  const double norm = reset_residual(matrix, b, x);
  report.row_products = row_products_;
  report.relative_residual =
      report.target > 0 ? settings.tolerance * std::sqrt(norm / report.target) : (norm > 0 ? INFINITY : 0);
  report.converged = norm <= report.target && keeps(settings.net_limits, 1, r_);
  return report;
}

size_t ModifiedConjugateGradient::bytes() const {
  return single_matrix_.bytes() + filtered_.bytes() + couplings_.bytes() + preconditioner_->bytes() +
         bytes_of(r_, p_, s_, h_, partial_);
}

}  // namespace heddle
