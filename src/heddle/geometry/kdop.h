#pragma once

#include <heddle/math/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace heddle {

/// Directions of a k-DOP, K / 2 of them, not normalised: components are -1, 0 or 1.
/// 6: the coordinate axes; 8: the diagonals of the cube; 14: both; 18: the axes and the diagonals of the
/// cube's faces (Eurographics 2002 tutorial, 3.3.1; Thomaszewski 2010, 2.4.1).
template <int K>
struct KDopAxes;

template <>
struct KDopAxes<6> {
  static constexpr std::array<std::array<int, 3>, 3> k{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};
template <>
struct KDopAxes<8> {
  static constexpr std::array<std::array<int, 3>, 4> k{{{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}}};
};
template <>
struct KDopAxes<14> {
  static constexpr std::array<std::array<int, 3>, 7> k{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}}};
};
template <>
struct KDopAxes<18> {
  static constexpr std::array<std::array<int, 3>, 9> k{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}}};
};

/// The points x with low[i] <= n_i . x <= high[i] for all directions n_i. Bounds are floats rounded outwards,
/// so the volume always holds what it was made from; half the memory of doubles is half the time of a tree.
template <int K>
struct KDop {
  static constexpr int kAxes = K / 2;
  std::array<float, kAxes> low, high;

  static KDop empty() {
    KDop dop;
    dop.low.fill(std::numeric_limits<float>::infinity());
    dop.high.fill(-std::numeric_limits<float>::infinity());
    return dop;
  }

  /// Holds the balls of radius `radius` (m) around every point between begin and end.
  static KDop of_segment(const Vec3& begin, const Vec3& end, double radius) {
    KDop dop;
    for (size_t i = 0; i < kAxes; ++i) {
      const auto& n = KDopAxes<K>::k[i];
      const double a = n[0] * begin.x() + n[1] * begin.y() + n[2] * begin.z();
      const double b = n[0] * end.x() + n[1] * end.y() + n[2] * end.z();
      const double reach = radius * std::sqrt(double(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
      dop.low[i] = rounded_down(std::min(a, b) - reach);
      dop.high[i] = -rounded_down(-(std::max(a, b) + reach));
    }
    return dop;
  }

  static KDop of_point(const Vec3& p) { return of_segment(p, p, 0.0); }

  /// Makes every interval longer by `margin` (m) times the length of its direction, at both ends.
  void inflate(double margin) {
    for (size_t i = 0; i < kAxes; ++i) {
      const auto& n = KDopAxes<K>::k[i];
      const double reach = margin * std::sqrt(double(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
      low[i] = rounded_down(low[i] - reach);
      high[i] = -rounded_down(-(high[i] + reach));
    }
  }

  /// Is the point inside?
  bool contains(const Vec3& p) const {
    for (size_t i = 0; i < kAxes; ++i) {
      const auto& n = KDopAxes<K>::k[i];
      const double a = n[0] * p.x() + n[1] * p.y() + n[2] * p.z();
      if (a < low[i] || a > high[i]) return false;
    }
    return true;
  }

  bool operator==(const KDop&) const = default;

 private:
  /// At most x, and less by no more than two units in the last place.
  static float rounded_down(double x) {
    const float near = static_cast<float>(x);
    return near - std::abs(near) * 1.2e-7f - std::numeric_limits<float>::min();
  }
};

/// The smallest k-DOP that holds both; for a tree (77) of the Eurographics 2002 tutorial, exact.
template <int K>
KDop<K> merged(const KDop<K>& a, const KDop<K>& b) {
  KDop<K> both;
  for (size_t i = 0; i < KDop<K>::kAxes; ++i) {
    both.low[i] = a.low[i] < b.low[i] ? a.low[i] : b.low[i];
    both.high[i] = a.high[i] > b.high[i] ? a.high[i] : b.high[i];
  }
  return both;
}

/// Do all K / 2 intervals overlap? False as soon as three in a row do not: three at a time cost no more than
/// one, and most pairs are apart along the first.
template <int K>
bool overlap(const KDop<K>& a, const KDop<K>& b) {
  constexpr size_t kStep = 3;
  for (size_t begin = 0; begin < KDop<K>::kAxes; begin += kStep) {
    bool apart = false;
    for (size_t i = begin; i < std::min<size_t>(begin + kStep, KDop<K>::kAxes); ++i)
      apart |= (a.low[i] > b.high[i]) | (b.low[i] > a.high[i]);
    if (apart) return false;
  }
  return true;
}

/// Sum of the lengths of the first three intervals: a cheap measure of size that orders volumes.
template <int K>
float extent(const KDop<K>& dop) {
  return (dop.high[0] - dop.low[0]) + (dop.high[1] - dop.low[1]) + (dop.high[2] - dop.low[2]);
}

}  // namespace heddle
