#pragma once

#include <heddle/math/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace heddle {

/// Co-rotated strain U - I of a face, F = R U: along weft, along warp, and (tensor) shear.
struct PlaneStrain {
  double weft = 0, warp = 0, shear = 0;

  PlaneStrain operator-(const PlaneStrain& o) const {
    return {weft - o.weft, warp - o.warp, shear - o.shear};
  }
  double largest() const { return std::max({std::abs(weft), std::abs(warp), std::abs(shear)}); }
};

/// What the strain of a face, or its rate, may be.
struct StrainBounds {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  PlaneStrain least{-kNone, -kNone, -kNone}, most{kNone, kNone, kNone};

  PlaneStrain nearest(const PlaneStrain& s) const {
    return {std::clamp(s.weft, least.weft, most.weft), std::clamp(s.warp, least.warp, most.warp),
            std::clamp(s.shear, least.shear, most.shear)};
  }
  /// By how much a strain is beyond them, 0 within.
  double excess(const PlaneStrain& s) const { return (s - nearest(s)).largest(); }
  StrainBounds widened(double by) const {
    return {{least.weft - by, least.warp - by, least.shear - by},
            {most.weft + by, most.warp + by, most.shear + by}};
  }
};

/// A face at rest: edges from its first corner, m, along weft and warp, and the inverse of the matrix that
/// has them as columns.
struct RestFace {
  Vec2 a = Vec2::UnitX(), b = Vec2::UnitY();
  Mat2 inverse = Mat2::Identity();

  static RestFace of(const std::array<Vec2, 3>& corners);
  double area() const { return 0.5 * (a[0] * b[1] - a[1] * b[0]); }  // m2
  std::array<Vec2, 3> gradients() const {                            // of the shape functions, 1/m
    const Vec2 g1 = inverse.row(0), g2 = inverse.row(1);
    return {-(g1 + g2), g1, g2};
  }
};

using FacePoints = std::array<Vec3, 3>;
/// kg of the corners; infinite for those that do not move.
using FaceMasses = std::array<double, 3>;
inline constexpr double kFixed = std::numeric_limits<double>::infinity();
inline bool can_move(const FaceMasses& mass) {
  return mass[0] != kFixed || mass[1] != kFixed || mass[2] != kFixed;
}

/// F = R U of a face, with the orthonormal columns of R (3x2).
struct FaceStretch {
  Vec3 weft = Vec3::UnitX(), warp = Vec3::UnitY();  // columns of R
  Mat2 U = Mat2::Identity();
  bool is_regular = true;  // else the face has collapsed and has no plane

  PlaneStrain strain() const { return {U(0, 0) - 1, U(1, 1) - 1, U(0, 1)}; }
};

/// F = dx/dX, or with velocities its rate.
inline Mat32 deformation(const RestFace& rest, const FacePoints& x) {
  const Vec3 p = x[1] - x[0], q = x[2] - x[0];
  Mat32 F;
  F.col(0) = rest.inverse(0, 0) * p + rest.inverse(1, 0) * q;
  F.col(1) = rest.inverse(0, 1) * p + rest.inverse(1, 1) * q;
  return F;
}

/// U = (C + sqrt(det C) I) / sqrt(tr C + 2 sqrt(det C)), C = F^T F: the root of a 2x2 matrix in closed form.
inline Mat2 right_stretch(const Mat32& F) {
  const double c11 = F.col(0).squaredNorm(), c22 = F.col(1).squaredNorm(), c12 = F.col(0).dot(F.col(1));
  const double s = std::sqrt(std::max(0.0, c11 * c22 - c12 * c12));
  const double t = 1 / std::sqrt(c11 + c22 + 2 * s);
  return Mat2{{(c11 + s) * t, c12 * t}, {c12 * t, (c22 + s) * t}};
}

inline PlaneStrain strain_of(const RestFace& rest, const FacePoints& x) {
  const Mat2 U = right_stretch(deformation(rest, x));
  return {U(0, 0) - 1, U(1, 1) - 1, U(0, 1)};
}

/// `U` is the right stretch of F.
inline FaceStretch stretch_of(const Mat32& F, const Mat2& U) {
  constexpr double kCollapsed = 1e-9;
  FaceStretch out;
  out.U = U;
  const double det = out.U(0, 0) * out.U(1, 1) - out.U(0, 1) * out.U(0, 1), trace = out.U(0, 0) + out.U(1, 1);
  out.is_regular = det > kCollapsed * trace * trace;
  if (!out.is_regular) return out;
  out.weft = (out.U(1, 1) * F.col(0) - out.U(0, 1) * F.col(1)) / det;
  out.warp = (out.U(0, 0) * F.col(1) - out.U(0, 1) * F.col(0)) / det;
  return out;
}

inline FaceStretch stretch_of(const RestFace& rest, const FacePoints& x) {
  const Mat32 F = deformation(rest, x);
  return stretch_of(F, right_stretch(F));
}

/// How the corners of a face move to bring its strain to a target; the unknowns are displacements, m.
/// All keep the momentum of the face, linear and angular, unless corners are fixed: those do not move.

/// The finite motion after which the strain of the face *is* the target: x_i = x_m + R Q U' d_i, where U' = I
/// + target, d_i are the corners at rest around their centre of mass, and Q turns in the plane so that no
/// angular momentum arises, sum m_i (U d_i) x (Q U' d_i) = 0. (3.9) of Thomaszewski 2010 is this to second
/// order in the strains, because it is exact only while R stays. Two fixed corners: nearest to the target in
/// the sense of least squares, with R as it is.
void move_to_strain(const RestFace& rest, const FaceStretch& now, const PlaneStrain& target,
                    const FaceMasses& mass, FacePoints& displacement);

/// The linear problem of Thomaszewski 2010, (3.9) with ERR-9 and ERR-10, in closed form: strain changes by
/// `change` while R stays, modes that do not change included. With velocities instead of displacements it
/// changes strain rates.
void move_by_strain(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change,
                    const FaceMasses& mass, FacePoints& displacement);

/// The shortest way, sum m_i |dx_i|^2, that changes only those modes of the strain in which `change` is not
/// zero; the others may follow. With two fixed corners as above. The derivative of U is exact, so rotations
/// neither count nor arise.
void move_least(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change,
                const FaceMasses& mass, FacePoints& displacement);

/// Gradients of weft, warp and shear strain by the corners, within the plane (weft, warp) of the face, 1/m.
using StrainGradients = std::array<std::array<Vec2, 3>, 3>;
StrainGradients strain_gradients(const RestFace& rest, const Mat2& U);

/// Rate of U at velocities v, 1/s.
PlaneStrain strain_rate(const RestFace& rest, const FaceStretch& now, const FacePoints& v);

}  // namespace heddle
