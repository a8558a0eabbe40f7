#pragma once

#include <heddle/math/types.h>

#include <cmath>

namespace heddle {

// Signs of determinants, exact for all coordinates that are 0 or between 1e-70 and 1e70 in size and whose
// differences are too. A bound of the rounding error settles nearly all; the rest is summed exactly in
// expansions (J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates, 1997).

namespace detail {

int exact_orient2d(const Vec2& a, const Vec2& b, const Vec2& c);
int exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace detail

/// +1 if a, b, c turn counter-clockwise, -1 if clockwise, 0 if they lie on a line.
inline int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a, v = c - a;
  const double left = u.x() * v.y(), right = u.y() * v.x(), det = left - right;
  if (std::abs(det) > 0x1.0p-51 * (std::abs(left) + std::abs(right))) return det > 0 ? 1 : -1;
  return detail::exact_orient2d(a, b, c);
}

/// Sign of (b - a) x (c - a) . (d - a): +1 if d lies on the side from which a, b, c turn counter-clockwise, 0
/// if all four lie in a plane.
inline int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const Vec3 plus(u.y() * v.z(), u.z() * v.x(), u.x() * v.y());
  const Vec3 minus(u.z() * v.y(), u.x() * v.z(), u.y() * v.x());
  const double det = (plus - minus).dot(w);
  const double size = (plus.cwiseAbs() + minus.cwiseAbs()).dot(w.cwiseAbs());
  // Shewchuk's bound is (7 + 56 u) u with u = 2^-53.
  if (std::abs(det) > 0x1.0p-50 * size) return det > 0 ? 1 : -1;
  return detail::exact_orient3d(a, b, c, d);
}

}  // namespace heddle
