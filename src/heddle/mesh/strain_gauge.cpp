#include <heddle/mesh/strain_gauge.h>

#include <heddle/core/check.h>

namespace heddle {

std::array<Vec2, 3> shape_gradients(const std::array<Vec2, 3>& rest) {
  const Vec2 a = rest[1] - rest[0], b = rest[2] - rest[0];
  const double doubled_area = a[0] * b[1] - a[1] * b[0];
  HEDDLE_CHECK_GT(doubled_area, 0.0);
  std::array<Vec2, 3> gradients;
  for (size_t i = 0; i < 3; ++i) {
    const Vec2 edge = rest[(i + 2) % 3] - rest[(i + 1) % 3];
    gradients[i] = Vec2(-edge[1], edge[0]) / doubled_area;
  }
  return gradients;
}

StrainGauge::StrainGauge(std::vector<Triangle> faces, std::span<const std::array<Vec2, 3>> rest)
    : faces_(std::move(faces)) {
  HEDDLE_CHECK_EQ(faces_.size(), rest.size());
  for (const auto& corners : rest) gradients_.push_back(shape_gradients(corners));
}

FaceStrain StrainGauge::strain(int face, std::span<const Vec3> x) const {
  const Triangle& corners = faces_[static_cast<size_t>(face)];
  const auto& gradient = gradients_[static_cast<size_t>(face)];
  Vec3 weft = Vec3::Zero(), warp = Vec3::Zero();
  for (size_t i = 0; i < 3; ++i) {
    weft += gradient[i][0] * x[static_cast<size_t>(corners[i])];
    warp += gradient[i][1] * x[static_cast<size_t>(corners[i])];
  }
  return {0.5 * (weft.squaredNorm() - 1), 0.5 * (warp.squaredNorm() - 1), 0.5 * weft.dot(warp)};
}

}  // namespace heddle
