#pragma once

#include <heddle/math/types.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// Green strain of one face: weft, warp and (tensor) shear.
struct FaceStrain {
  double weft = 0, warp = 0, shear = 0;
};

/// Gradients of the three shape functions of a triangle of given rest coordinates, 1/m; its area must be
/// above zero.
std::array<Vec2, 3> shape_gradients(const std::array<Vec2, 3>& rest);

/// Measures how faces are strained against their rest shape, whatever resists that.
class StrainGauge {
 public:
  StrainGauge() = default;
  /// `rest` are the corners of the faces along weft and warp, m.
  StrainGauge(std::vector<Triangle> faces, std::span<const std::array<Vec2, 3>> rest);

  int face_count() const { return static_cast<int>(faces_.size()); }
  /// `x` are the positions that the faces name, m.
  FaceStrain strain(int face, std::span<const Vec3> x) const;

 private:
  std::vector<Triangle> faces_;
  std::vector<std::array<Vec2, 3>> gradients_;
};

}  // namespace heddle
