#include <heddle/magnetics/cuboid_force.h>

#include <heddle/magnetics/dipole.h>

#include <array>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

/// factor ln(r - u), where r^2 = u^2 + rest2; its limit 0 where both vanish.
double log_term(double factor, double r, double u, double rest2) {
  if (factor == 0) return 0;
  // r - u loses digits if u is most of r.
  return factor * std::log(u > 0 ? rest2 / (r + u) : r - u);
}

/// atan(uv / rw) as w -> +0 where it is 0.
double angle(double uv, double rw) {
  if (rw != 0) return std::atan(uv / rw);
  return uv == 0 ? 0 : std::copysign(0.5 * std::numbers::pi, uv);
}

/// Of one corner against another.
Vec3 corner_term(double u, double v, double w) {
  const double u2 = u * u, v2 = v * v, w2 = w * w, r = std::sqrt(u2 + v2 + w2);
  const double turn = angle(u * v, r * w);
  return {
      log_term(0.5 * (v2 - w2), r, u, v2 + w2) + log_term(u * v, r, v, u2 + w2) + v * w * turn + 0.5 * r * u,
      log_term(0.5 * (u2 - w2), r, v, u2 + w2) + log_term(u * v, r, u, v2 + w2) + u * w * turn + 0.5 * r * v,
      log_term(-u * w, r, u, v2 + w2) + log_term(-v * w, r, v, u2 + w2) + u * v * turn - r * w};
}

}  // namespace

Vec3 cuboid_force(const CuboidMagnet& first, const CuboidMagnet& second, const Vec3& offset) {
  const Vec3 a = 0.5 * first.size, b = 0.5 * second.size;
  Vec3 sum = Vec3::Zero();
  for (int corner = 0; corner < 64; ++corner) {
    const auto sign = [&](int bit) { return (corner >> bit & 1) != 0 ? -1.0 : 1.0; };
    double product = 1;
    for (int bit = 0; bit < 6; ++bit) product *= sign(bit);
    const auto side = [&](int axis) {
      return offset[axis] + sign(axis) * b[axis] - sign(axis + 3) * a[axis];
    };
    sum += product * corner_term(side(0), side(1), side(2));
  }
  return first.remanence * second.remanence / (4 * std::numbers::pi * kVacuumPermeability) * sum;
}

}  // namespace heddle
