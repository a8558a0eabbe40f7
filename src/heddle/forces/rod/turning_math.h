#pragma once

#include <heddle/math/dual.h>
#include <heddle/math/types.h>

#include <array>
#include <cmath>

namespace heddle::rod {

/// Vectors and unit quaternions (vector part first) of plain or dual numbers: the elements of rods are
/// written once for forces and for their derivatives.
template <class S>
using Triple = std::array<S, 3>;
template <class S>
using Turn = std::array<S, 4>;

template <class S, class T>
auto dot(const Triple<S>& a, const Triple<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class S>
Triple<S> cross(const Triple<S>& a, const Triple<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// a + factor b.
template <class S, class T>
Triple<S> plus(const Triple<S>& a, const T& factor, const Triple<S>& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

template <class S, class T>
Triple<S> scaled(const T& factor, const Triple<S>& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}

/// The product of Spillmann 2008, (C.6): first b, then a.
template <class S, class T, class R = decltype(S() * T())>
Turn<R> product(const Turn<S>& a, const Turn<T>& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
          a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

template <class S>
Turn<S> inverse(const Turn<S>& a) {
  return {-a[0], -a[1], -a[2], a[3]};
}

inline Turn<double> turn_of(const Quat& q) {
  return {q.x(), q.y(), q.z(), q.w()};
}

inline Quat quat_of(const Turn<double>& a) {
  return Quat(a[3], a[0], a[1], a[2]);
}

/// A constant matrix times a vector.
template <class S>
Triple<S> times(const Mat3& m, const Triple<S>& a) {
  return {m(0, 0) * a[0] + m(0, 1) * a[1] + m(0, 2) * a[2], m(1, 0) * a[0] + m(1, 1) * a[1] + m(1, 2) * a[2],
          m(2, 0) * a[0] + m(2, 1) * a[1] + m(2, 2) * a[2]};
}

inline Triple<double> triple_of(const Vec3& a) {
  return {a[0], a[1], a[2]};
}

/// A relative rotation as a vector, and what its inverse Jacobians need.
template <class S>
struct RotationVector {
  Triple<S> vector;  // axis times angle, rad, at most pi long
  S c;               // (1 - (a/2) cot(a/2)) / a^2 of the angle a
};

/// The logarithm of a unit quaternion.
template <class S>
RotationVector<S> rotation_vector(const Turn<S>& turn) {
  using std::atan2;
  using std::sqrt;
  const double sign = value_of(turn[3]) < 0 ? -1 : 1;
  const Triple<S> v{sign * turn[0], sign * turn[1], sign * turn[2]};
  const S w = sign * turn[3], square = dot(v, v);
  if (value_of(square) < 0.01 * value_of(w) * value_of(w)) {
    // Series of atan(z)/z in z^2 and of c in the angle's square.
    const S x = square / (w * w);
    const S g =
        1 - x * (1.0 / 3 -
                 x * (1.0 / 5 -
                      x * (1.0 / 7 - x * (1.0 / 9 - x * (1.0 / 11 - x * (1.0 / 13 - x * (1.0 / 15)))))));
    const S half = g / w;
    const S angle2 = 4.0 * half * half * square;
    const S c =
        1.0 / 12 +
        angle2 * (1.0 / 720 + angle2 * (1.0 / 30240 + angle2 * (1.0 / 1209600 + angle2 * (1.0 / 47900160))));
    return {scaled(2.0 * half, v), c};
  }
  const S sine = sqrt(square), half = atan2(sine, w);
  const S c = (1 - half * w / sine) / (4.0 * half * half);
  return {scaled(2.0 * half / sine, v), c};
}

/// J^-1 a of the left Jacobian of the rotation vector, or of the right one, which is its transpose.
template <class S>
Triple<S> inverse_jacobian(const RotationVector<S>& rotation, const Triple<S>& a, bool left) {
  const Triple<S> first = cross(rotation.vector, a), second = cross(rotation.vector, first);
  return plus(plus(a, left ? -0.5 : 0.5, first), rotation.c, second);
}

}  // namespace heddle::rod
