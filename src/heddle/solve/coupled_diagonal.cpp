#include <heddle/solve/coupled_diagonal.h>

#include <heddle/solve/filtered_matrix.h>
#include <heddle/solve/residual_measure.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void CoupledDiagonal::gather(std::span<const PairCoupling> couplings, std::span<const Vec3> b,
                             std::span<const Vec3> x) {
  rows_.clear();
  for (const PairCoupling& coupling : couplings)
    rows_.insert(rows_.end(), coupling.rows.begin(), coupling.rows.end());
  std::sort(rows_.begin(), rows_.end());
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
  local_.assign(couplings.begin(), couplings.end());
  for (PairCoupling& coupling : local_)
    for (int& row : coupling.rows)
      row = static_cast<int>(std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin());
  couplings_.assign(local_, static_cast<int>(rows_.size()));
  for (auto* vector : {&b_, &x_, &r_, &d_, &q_}) vector->resize(rows_.size());
  for (size_t k = 0; k < rows_.size(); ++k) {
    b_[k] = b[at(rows_[k])];
    x_[k] = x[at(rows_[k])];
  }
}

void CoupledDiagonal::take_blocks(std::span<const double> diagonal, const BlockProjection& projection) {
  diagonal_.resize(rows_.size());
  inverse_.resize(rows_.size());
  free_.assign(rows_.size(), Mat3::Identity());
  for (size_t k = 0; k < projection.particles().size(); ++k) {
    const auto found = std::lower_bound(rows_.begin(), rows_.end(), projection.particles()[k]);
    if (found != rows_.end() && *found == projection.particles()[k])
      free_[static_cast<size_t>(found - rows_.begin())] = projection.free(k);
  }
  for (size_t k = 0; k < rows_.size(); ++k) {
    diagonal_[k] = diagonal[at(rows_[k])];
    inverse_[k] = diagonal_[k] * Mat3::Identity();
  }
  for (size_t k = 0; k < couplings_.rows().size(); ++k)
    inverse_[at(couplings_.rows()[k])] += couplings_.diagonal(static_cast<int>(k));
  for (size_t k = 0; k < rows_.size(); ++k) inverse_[k] = inverse_within(Mat3(inverse_[k]), free_[k]);
}

double CoupledDiagonal::norm(std::span<const Vec3> values) {
  double sum = 0;
  for (size_t k = 0; k < values.size(); ++k) sum += values[k].dot(inverse_[k] * values[k]);
  return sum;
}

void CoupledDiagonal::multiply(std::span<const Vec3> values, std::span<Vec3> product) {
  for (size_t k = 0; k < values.size(); ++k) product[k] = diagonal_[k] * values[k];
  couplings_.add_product(values, 1, product);
  for (size_t k = 0; k < values.size(); ++k) product[k] = free_[k] * product[k];
  row_products_ += static_cast<long>(values.size());
}

double CoupledDiagonal::reset_residual() {
  multiply(x_, q_);
  for (size_t k = 0; k < rows_.size(); ++k) r_[k] = free_[k] * b_[k] - q_[k];
  return norm(r_);
}

int CoupledDiagonal::iterate(double target, int max_iterations, double rho) {
  for (size_t k = 0; k < rows_.size(); ++k) d_[k] = inverse_[k] * r_[k];
  int iterations = 0;
  while (iterations < max_iterations && rho > target) {
    multiply(d_, q_);
    double curvature = 0;
    for (size_t k = 0; k < rows_.size(); ++k) curvature += d_[k].dot(q_[k]);
    if (!(curvature > 0)) break;
    const double alpha = rho / curvature;
    for (size_t k = 0; k < rows_.size(); ++k) {
      x_[k] += alpha * d_[k];
      r_[k] -= alpha * q_[k];
    }
    ++iterations;
    const double next = norm(r_), beta = next / rho;
    for (size_t k = 0; k < rows_.size(); ++k) d_[k] = inverse_[k] * r_[k] + beta * d_[k];
    rho = next;
  }
  return iterations;
}

SolverReport CoupledDiagonal::solve(std::span<const double> diagonal, std::span<const Vec3> b,
                                    const BlockProjection& projection, const SolverSettings& settings,
                                    std::span<Vec3> x, std::span<const PairCoupling> couplings) {
  row_products_ = 0;
  gather(couplings, b, x);
  take_blocks(diagonal, projection);
  const double target = std::max(settings.negligible, settings.tolerance * settings.tolerance * norm(b_));
  SolverReport report{.relative_residual = INFINITY, .target = target};
  if (!std::isfinite(target)) return report;
  report.iterations = iterate(target, settings.max_iterations, reset_residual());
  const double left = reset_residual();
  // Recursion and residual part by rounding.
  constexpr double kRounding = 4;
  report.converged = left <= kRounding * target;
  report.relative_residual = relative_residual(settings.tolerance, left, target);
  report.row_products = row_products_;
  for (size_t k = 0; k < rows_.size(); ++k) x[at(rows_[k])] = x_[k];
  return report;
}

}  // namespace heddle
