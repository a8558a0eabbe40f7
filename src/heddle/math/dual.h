#pragma once

#include <array>
#include <cmath>

namespace heddle {

/// A number and its derivatives by N variables: computing with it computes them too. Written by hand because
/// Eigen's AutoDiffScalar is outside its supported part and several times slower for few variables.
template <int N>
struct Dual {
  double value = 0;
  std::array<double, N> slope{};

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT: numbers are constants
  static Dual variable(double value, int number) {
    Dual out(value);
    out.slope[static_cast<size_t>(number)] = 1;
    return out;
  }

  /// f(this) where f has that value and derivative.
  Dual mapped(double f, double derivative) const {
    Dual out(f);
    for (size_t i = 0; i < N; ++i) out.slope[i] = derivative * slope[i];
    return out;
  }
  Dual operator-() const { return mapped(-value, -1); }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }

  friend Dual operator+(const Dual& a, const Dual& b) { return combined(a.value + b.value, a, 1, b, 1); }
  friend Dual operator-(const Dual& a, const Dual& b) { return combined(a.value - b.value, a, 1, b, -1); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return combined(a.value * b.value, a, b.value, b, a.value);
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return combined(quotient, a, 1 / b.value, b, -quotient / b.value);
  }
  friend Dual operator+(const Dual& a, double b) { return a.mapped(a.value + b, 1); }
  friend Dual operator+(double a, const Dual& b) { return b.mapped(a + b.value, 1); }
  friend Dual operator-(const Dual& a, double b) { return a.mapped(a.value - b, 1); }
  friend Dual operator-(double a, const Dual& b) { return b.mapped(a - b.value, -1); }
  friend Dual operator*(const Dual& a, double b) { return a.mapped(a.value * b, b); }
  friend Dual operator*(double a, const Dual& b) { return b.mapped(a * b.value, a); }
  friend Dual operator/(const Dual& a, double b) { return a.mapped(a.value / b, 1 / b); }

 private:
  static Dual combined(double value, const Dual& a, double by_a, const Dual& b, double by_b) {
    Dual out(value);
    for (size_t i = 0; i < N; ++i) out.slope[i] = by_a * a.slope[i] + by_b * b.slope[i];
    return out;
  }
};

template <int N>
Dual<N> sqrt(const Dual<N>& a) {
  const double root = std::sqrt(a.value);
  return a.mapped(root, 0.5 / root);
}
template <int N>
Dual<N> sin(const Dual<N>& a) {
  return a.mapped(std::sin(a.value), std::cos(a.value));
}
template <int N>
Dual<N> cos(const Dual<N>& a) {
  return a.mapped(std::cos(a.value), -std::sin(a.value));
}
template <int N>
Dual<N> atan2(const Dual<N>& y, const Dual<N>& x) {
  const double square = x.value * x.value + y.value * y.value;
  Dual<N> out(std::atan2(y.value, x.value));
  for (size_t i = 0; i < N; ++i) out.slope[i] = (x.value * y.slope[i] - y.value * x.slope[i]) / square;
  return out;
}

/// The number without its derivatives.
inline double value_of(double a) {
  return a;
}
template <int N>
double value_of(const Dual<N>& a) {
  return a.value;
}

}  // namespace heddle
