#include <heddle/solve/conjugate_gradient.h>

#include <heddle/core/check.h>
#include <heddle/core/memory.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// The recursion stops this far below the target, so that its rounding rarely costs a second round.
constexpr double kSafety = 0.98;
/// A round that gains less than this has met the limit of rounding.
constexpr double kLeastGain = 0.9;
/// Iterations with the preconditioner of a similar matrix, before that of the new one is made.
constexpr int kPatience = 10;

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

ConjugateGradient::ConjugateGradient(std::unique_ptr<Preconditioner> preconditioner)
    : preconditioner_(preconditioner && preconditioner->is_block_jacobi() ? nullptr
                                                                          : std::move(preconditioner)) {}

void ConjugateGradient::prepare(const BlockMatrix& matrix, const BlockProjection& projection,
                                const SolverSettings& settings, std::span<const PairCoupling> couplings) {
  couplings_.assign(couplings, matrix.row_count());
  const bool same_freedom = filtered_.projection() == projection;
  if (!settings.same_matrix) filtered_.assign(matrix, projection);
  filtered_.set_matrix(matrix);
  if (settings.same_matrix && !same_freedom) filtered_.constrain(projection);
  kept_ = factored_ && same_freedom && settings.similar_matrix && !settings.same_matrix;
  factored_ = kept_ || (factored_ && same_freedom && settings.same_matrix);
  filtered_.couple(couplings_);
  for (auto* vector : {&r_, &d_, &s_}) vector->assign(at(matrix.row_count()) + 1, Vec3::Zero());
}

void ConjugateGradient::factor() {
  if (!preconditioner_) return;
  if (factored_)
    preconditioner_->couple(couplings_);
  else
    preconditioner_->factor(filtered_, couplings_);
  factored_ = true;
}

double ConjugateGradient::norm_of(std::span<const Vec3> values) {
  return ordered_sum(static_cast<int>(values.size()), 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += values[at(i)].dot(filtered_.diagonal_inverse(i) * values[at(i)]);
    return sum;
  });
}

double ConjugateGradient::reset_residual(const BlockMatrix& matrix, std::span<const Vec3> b,
                                         std::span<const Vec3> x) {
  const int n = matrix.row_count();
  find_residual(matrix, couplings_, filtered_.projection(), b, x, r_);
  row_products_ += n;
  parallel_for(n, [&](int i) { s_[at(i)] = filtered_.diagonal_inverse(i) * r_[at(i)]; });
  return norm_of({r_.data(), at(n)});
}

double ConjugateGradient::multiply() {
  const int n = filtered_.row_count();
  row_products_ += n;
  filtered_.multiply(d_, s_);
  if (!couplings_.empty()) {
    couplings_.add_product(d_, 1, s_);
    filtered_.filter(s_);
  }
  return ordered_sum(n, 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += dot(load(d_[at(i)]), load(s_[at(i)]));
    return sum;
  });
}

double ConjugateGradient::advance(double alpha, std::span<Vec3> x) {
  return ordered_sum(filtered_.row_count(), 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) {
      const Lanes residual = load(r_[at(i)]) - alpha * load(s_[at(i)]);
      const Lanes scaled = filtered_.inverse_times(i, residual);
      store(load(x[at(i)]) + alpha * load(d_[at(i)]), x[at(i)]);
      store(residual, r_[at(i)]);
      store(scaled, s_[at(i)]);
      sum += dot(residual, scaled);
    }
    return sum;
  });
}

double ConjugateGradient::precondition(double norm) {
  if (!preconditioner_ || plain_) return norm;
  const int n = filtered_.row_count();
  preconditioner_->apply(r_, s_);
  return ordered_sum(n, 0.0, partial_, [&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += dot(load(r_[at(i)]), load(s_[at(i)]));
    return sum;
  });
}

int ConjugateGradient::iterate(double target, std::span<const NetLimit> limits, double norm,
                               int max_iterations, std::span<Vec3> x) {
  double rho = precondition(norm);
  d_.swap(s_);
  int iterations = 0;
  while (iterations < max_iterations) {
    const double curvature = multiply();
    if (!(curvature > 0)) break;  // not positive definite, or not a number: the caller judges
    norm = advance(rho / curvature, x);
    ++iterations;
    if (!(norm > target) && keeps(limits, kSafety, r_)) break;
    const double next = precondition(norm);
    const double beta = next / rho;
    rho = next;
    parallel_for(filtered_.row_count(),
                 [&](int i) { store(load(s_[at(i)]) + beta * load(d_[at(i)]), d_[at(i)]); });
  }
  return iterations;
}

SolverReport ConjugateGradient::solve(const BlockMatrix& matrix, std::span<const Vec3> b,
                                      std::span<const Vec3> reference, const BlockProjection& projection,
                                      const SolverSettings& settings, std::span<Vec3> x,
                                      std::span<const PairCoupling> couplings) {
  const int n = matrix.row_count();
  HEDDLE_CHECK_EQ(static_cast<int>(b.size()), n);
  HEDDLE_CHECK_EQ(static_cast<int>(reference.size()), n);
  HEDDLE_CHECK_EQ(static_cast<int>(x.size()), n);
  row_products_ = 0;
  prepare(matrix, projection, settings, couplings);

  const double own = norm_of(settings.driving.empty() ? b : settings.driving), other = norm_of(reference);
  SolverReport report{.relative_residual = INFINITY};
  if (!std::isfinite(own + other)) return report;
  const double target =
      std::max(settings.negligible, settings.tolerance * settings.tolerance * std::max(own, other));
  report.target = target;
  double norm = reset_residual(matrix, b, x);
  const auto is_good = [&] { return norm <= target && keeps(settings.net_limits, 1, r_); };
  if (!is_good()) factor();
  if (kept_ && !is_good()) {
    report.iterations =
        iterate(kSafety * target, settings.net_limits, norm, std::min(kPatience, settings.max_iterations), x);
    norm = reset_residual(matrix, b, x);
    factored_ = is_good();
    if (!factored_) factor();
  }
  while (!is_good() && report.iterations < settings.max_iterations) {
    const double before = norm;
    report.iterations +=
        iterate(kSafety * target, settings.net_limits, norm, settings.max_iterations - report.iterations, x);
    norm = reset_residual(matrix, b, x);
    if (!(norm < kLeastGain * before)) break;
  }
  // Preconditioners round in single precision: what they left beside very large stiffness is solved without
  // them.
  if (!is_good() && report.iterations < settings.max_iterations) {
    plain_ = true;
    report.iterations +=
        iterate(kSafety * target, settings.net_limits, norm, settings.max_iterations - report.iterations, x);
    plain_ = false;
    norm = reset_residual(matrix, b, x);
  }
  report.relative_residual =
      target > 0 ? settings.tolerance * std::sqrt(norm / target) : (norm > 0 ? INFINITY : 0);
  report.row_products = row_products_;
  report.converged = is_good();
  return report;
}

size_t ConjugateGradient::bytes() const {
  return filtered_.bytes() + couplings_.bytes() + (preconditioner_ ? preconditioner_->bytes() : 0) +
         bytes_of(r_, d_, s_, partial_);
}

}  // namespace heddle
