#pragma once

#include <heddle/math/types.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
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

/// Intervals along N directions, as how far they reach: first towards minus each direction, then towards
/// plus. So merging is one maximum, and the test for overlap one sum of signs: both are vector instructions.
template <size_t N>
using Reach = std::array<float, 2 * N>;

/// Do all N intervals overlap? All are tested at once, which takes less time than to leave after the first.
template <size_t Size>
bool overlap(const std::array<float, Size>& a, const std::array<float, Size>& b) {
  constexpr size_t n = Size / 2;
  std::uint32_t signs = 0;
  for (size_t i = 0; i < n; ++i)
    signs |= std::bit_cast<std::uint32_t>(a[i] + b[i + n]) | std::bit_cast<std::uint32_t>(b[i] + a[i + n]);
  return signs >> 31 == 0;
}

template <size_t Size>
std::array<float, Size> merged(const std::array<float, Size>& a, const std::array<float, Size>& b) {
  std::array<float, Size> both;
  for (size_t i = 0; i < Size; ++i) both[i] = a[i] > b[i] ? a[i] : b[i];
  return both;
}

/// The points x with low(i) <= n_i . x <= high(i) for all directions n_i. Bounds are floats rounded outwards,
/// so the volume always holds what it was made from; half the memory of doubles is half the time of a tree.
template <int K>
struct KDop {
  static constexpr size_t kAxes = K / 2;
  Reach<kAxes> reach;

  float low(size_t i) const { return -reach[i]; }
  float high(size_t i) const { return reach[i + kAxes]; }

  /// Holds the balls of radius `radius` (m) around every point between begin and end.
  static KDop of_segment(const Vec3& begin, const Vec3& end, double radius) {
    KDop dop;
    for (size_t i = 0; i < kAxes; ++i) {
      const double a = along(i, begin), b = along(i, end), margin = radius * axis_length(i);
      dop.reach[i] = rounded_up(margin - (a < b ? a : b));
      dop.reach[i + kAxes] = rounded_up(margin + (a < b ? b : a));
    }
    return dop;
  }

  static KDop of_point(const Vec3& p) { return of_segment(p, p, 0.0); }

  /// Makes every interval longer by `margin` (m) times the length of its direction, at both ends.
  void inflate(double margin) {
    for (size_t i = 0; i < kAxes; ++i) {
      reach[i] = rounded_up(reach[i] + margin * axis_length(i));
      reach[i + kAxes] = rounded_up(reach[i + kAxes] + margin * axis_length(i));
    }
  }

  bool contains(const Vec3& p) const {
    for (size_t i = 0; i < kAxes; ++i)
      if (along(i, p) < low(i) || along(i, p) > high(i)) return false;
    return true;
  }

  bool operator==(const KDop&) const = default;

 private:
  static double along(size_t i, const Vec3& p) {
    const auto& n = KDopAxes<K>::k[i];
    return n[0] * p.x() + n[1] * p.y() + n[2] * p.z();
  }
  static double axis_length(size_t i) {
    const auto& n = KDopAxes<K>::k[i];
    return std::sqrt(static_cast<double>(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
  }
  /// At least x, and more by no more than two units in the last place.
  static float rounded_up(double x) {
    const float near = static_cast<float>(x);
    return near + std::abs(near) * 1.2e-7f + std::numeric_limits<float>::min();
  }
};

/// The smallest k-DOP that holds both; exact for trees: Eurographics 2002 tutorial, (77).
template <int K>
KDop<K> merged(const KDop<K>& a, const KDop<K>& b) {
  return {merged(a.reach, b.reach)};
}

/// Do all K / 2 intervals overlap?
template <int K>
bool overlap(const KDop<K>& a, const KDop<K>& b) {
  return overlap(a.reach, b.reach);
}

/// Sum of the lengths of the first three intervals: a cheap measure of size.
template <int K>
float extent(const KDop<K>& dop) {
  return (dop.high(0) - dop.low(0)) + (dop.high(1) - dop.low(1)) + (dop.high(2) - dop.low(2));
}

}  // namespace heddle
