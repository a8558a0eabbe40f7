#include "strained_sheet.h"

namespace heddle {

StrainedSheet::StrainedSheet(int n, const StrainBounds& bounds, Diagonals diagonals) {
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) x.emplace_back(double(i) / n, double(j) / n, 0);
  mass.assign(x.size(), 0);
  const auto add = [&](const Triangle& t) {
    std::array<Vec2, 3> rest;
    for (size_t k = 0; k < 3; ++k) rest[k] = x[static_cast<size_t>(t[k])].head<2>();
    faces.add(t, rest, bounds);
    for (const int i : t) mass[static_cast<size_t>(i)] += 0.2 * 0.5 / (n * n) / 3;
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      if (diagonals == Diagonals::rising || (diagonals == Diagonals::mixed && (i + j) % 2 == 0)) {
        add({a, b, d});
        add({a, d, c});
      } else {
        add({a, b, c});
        add({b, d, c});
      }
    }
  faces.finish(particle_count());
}

Vec3 StrainedSheet::momentum(std::span<const Vec3> moved) const {
  Vec3 sum = Vec3::Zero();
  for (size_t i = 0; i < x.size(); ++i) sum += mass[i] * (moved[i] - x[i]);
  return sum;
}

Vec3 StrainedSheet::angular_momentum(std::span<const Vec3> moved) const {
  Vec3 sum = Vec3::Zero();
  for (size_t i = 0; i < x.size(); ++i) sum += mass[i] * x[i].cross(moved[i] - x[i]);
  return sum;
}

}  // namespace heddle
