#include <heddle/solve/minimal_residual.h>

#include <heddle/parallel/parallel.h>

#include <cmath>

namespace heddle {

namespace {

using Vectors = std::vector<Vec3>;

double dot(const Vectors& a, std::span<const Vec3> b, std::vector<double>& partial) {
  return ordered_sum(static_cast<int>(a.size()), 0.0, partial, [&](int begin, int end) {
    double sum = 0;
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) sum += a[i].dot(b[i]);
    return sum;
  });
}

/// a = f (a + g b + h c).
void combine(Vectors& a, double f, double g, const Vectors& b, double h, const Vectors& c) {
  parallel_for(static_cast<int>(a.size()), [&](int item) {
    const auto i = static_cast<size_t>(item);
    a[i] = f * (a[i] + g * b[i] + h * c[i]);
  });
}

}  // namespace

MinimalResidualReport minimal_residual(const SymmetricOperator& a, std::span<const Vec3> b, double tolerance,
                                       int most_iterations, std::vector<Vec3>& x) {
  std::vector<double> partial;
  const size_t n = b.size();
  const Vectors right(b.begin(), b.end());
  const double size = std::sqrt(dot(right, right, partial));
  if (size == 0) {
    x.assign(n, Vec3::Zero());
    return {0, 0, true};
  }
  Vectors v(n), v_old(n, Vec3::Zero()), product(n), w(n, Vec3::Zero()), w_old(n, Vec3::Zero()), direction;
  a(x, product);
  for (size_t i = 0; i < n; ++i) v[i] = b[i] - product[i];
  double gamma = std::sqrt(dot(v, v, partial)), eta = gamma;
  double c = 1, c_old = 1, s = 0, s_old = 0;
  MinimalResidualReport report{0, gamma / size, gamma <= tolerance * size};
  // One step of Lanczos' method, then one rotation of the tridiagonal matrix that it builds.
  while (!report.converged && report.iterations < most_iterations && gamma > 0) {
    combine(v, 1 / gamma, 0, v, 0, v);
    a(v, product);
    const double delta = dot(v, product, partial);
    combine(product, 1, -delta, v, -gamma, v_old);
    const double gamma_next = std::sqrt(dot(product, product, partial));
    const double alpha0 = c * delta - c_old * s * gamma, alpha1 = std::hypot(alpha0, gamma_next);
    const double alpha2 = s * delta + c_old * c * gamma, alpha3 = s_old * gamma;
    if (alpha1 == 0) break;
    c_old = c, s_old = s;
    c = alpha0 / alpha1, s = gamma_next / alpha1;
    direction = v;
    combine(direction, 1 / alpha1, -alpha3, w_old, -alpha2, w);
    combine(x, 1, c * eta, direction, 0, direction);
    eta *= -s;
    w_old.swap(w);
    w.swap(direction);
    v_old.swap(v);
    v.swap(product);
    gamma = gamma_next;
    ++report.iterations;
    report.residual = std::abs(eta) / size;
    report.converged = report.residual <= tolerance;
  }
  return report;
}

}  // namespace heddle
