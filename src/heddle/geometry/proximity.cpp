#include <heddle/geometry/proximity.h>

namespace heddle::detail {

Vec3 any_normal(const Vec3& u, const Vec3& v) {
  const Vec3 n = u.cross(v);
  const double n2 = n.squaredNorm(), u2 = u.squaredNorm(), v2 = v.squaredNorm();
  if (n2 > 1e-24 * u2 * v2 && n2 > kTiny) return n / std::sqrt(n2);
  const Vec3& longer = u2 > v2 ? u : v;
  return std::max(u2, v2) > kTiny ? longer.unitOrthogonal() : Vec3(Vec3::UnitZ());
}

}  // namespace heddle::detail
