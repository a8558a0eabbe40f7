#include <heddle/magnetics/dipole.h>

#include <cmath>

namespace heddle {

Vec3 dipole_field(const Vec3& offset, const Vec3& moment) {
  const double inverse2 = 1 / offset.squaredNorm();
  return kDipoleFactor * inverse2 * std::sqrt(inverse2) *
         (3 * inverse2 * moment.dot(offset) * offset - moment);
}

// With d = r n: F = mu0/(4 pi r^5) [(3 m1.m2 - 15 (m1.d)(m2.d)/r^2) d + 3 ((m2.d) m1 + (m1.d) m2)].
DipoleEffect dipole_effect(const Vec3& offset, const Vec3& first, const Vec3& second, double closest) {
  const double length = offset.norm();
  Vec3 d = offset;
  if (length < closest) {
    if (length == 0) return {};
    d *= closest / length;
  }
  const double inverse2 = 1 / d.squaredNorm();
  const double cube = kDipoleFactor * inverse2 * std::sqrt(inverse2), fifth = 3 * cube * inverse2;
  const double along1 = first.dot(d), along2 = second.dot(d);
  DipoleEffect effect;
  effect.force =
      fifth * ((first.dot(second) - 5 * along1 * along2 * inverse2) * d + along2 * first + along1 * second);
  const Vec3 turn = cube * first.cross(second);
  // Forces of dipoles that were pushed apart act where they were pushed to.
  const Vec3 arm = (0.5 * (d - offset)).cross(effect.force);
  effect.torque = fifth * along2 * first.cross(d) - turn + arm;
  effect.other_torque = fifth * along1 * second.cross(d) + turn + arm;
  return effect;
}

}  // namespace heddle
