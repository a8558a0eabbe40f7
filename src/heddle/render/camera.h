#pragma once

#include <heddle/math/types.h>
#include <heddle/math/value_traits.h>

#include <optional>

namespace heddle {

/// Axis-aligned box around drawable points, m.
using Bounds = Eigen::AlignedBox3f;

/// A pinhole camera.
struct Camera {
  Vec3 position{2, -3, 2};  // m
  Vec3 target{0, 0, 0};     // m: the point in the middle of the picture
  Vec3 up{0, 0, 1};
  double field_of_view = 24;  // degrees, from the lower to the upper edge
  static void describe(Describer<Camera>& d);
};

/// Three-quarter view, slightly from above, that shows the whole box with a margin. It faces the wider side
/// of the box. `aspect` is width / height of the picture.
Camera frame_camera(const Bounds& bounds, double aspect);

/// Where a point appears, (0, 0) at the upper left and (1, 1) at the lower right; empty behind the camera.
std::optional<Vec2> project(const Camera& camera, double aspect, const Vec3& point);

/// The rays of a camera, ready to be evaluated many times.
class CameraRays {
 public:
  CameraRays(const Camera& camera, int width, int height);
  const Vec3f& origin() const { return origin_; }
  /// Unit direction through a point of the picture, in pixels from the upper left corner.
  Vec3f direction(float x, float y) const { return (corner_ + x * step_x_ + y * step_y_).normalized(); }
  /// Width of a pixel at distance 1.
  float pixel_size() const { return step_x_.norm(); }

 private:
  Vec3f origin_, corner_, step_x_, step_y_;
};

}  // namespace heddle
