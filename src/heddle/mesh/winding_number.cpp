#include <heddle/mesh/winding_number.h>

#include <cmath>
#include <numbers>

namespace heddle {

double winding_number(const Vec3& point, std::span<const Vec3> positions,
                      std::span<const Triangle> triangles) {
  double sum = 0;
  for (const Triangle& t : triangles) {
    const Vec3 a = positions[static_cast<size_t>(t[0])] - point,
               b = positions[static_cast<size_t>(t[1])] - point,
               c = positions[static_cast<size_t>(t[2])] - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    // Half the solid angle of the triangle (A. van Oosterom and J. Strackee 1983).
    sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (2 * std::numbers::pi);
}

}  // namespace heddle
