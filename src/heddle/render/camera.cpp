#include <heddle/render/camera.h>

#include <cmath>
#include <numbers>

namespace heddle {
namespace {

constexpr double kRadians = std::numbers::pi / 180;
constexpr double kElevation = 21 * kRadians;
constexpr double kAzimuth = 28 * kRadians;  // away from the normal of the wider side
constexpr double kMargin = 0.86;            // share of the picture that the box may fill

/// Columns: right, up, backward.
Mat3 camera_axes(const Camera& camera) {
  const Vec3 backward = (camera.position - camera.target).normalized();
  Vec3 right = camera.up.cross(backward);
  if (right.norm() < 1e-6) right = Vec3::UnitY().cross(backward);
  if (right.norm() < 1e-6) right = Vec3::UnitX();
  right.normalize();
  Mat3 axes;
  axes << right, backward.cross(right), backward;
  return axes;
}

/// Extent of the box in the picture, as tangents: lower left and upper right.
struct Window {
  Vec2 low{1e30, 1e30}, high{-1e30, -1e30};
};

Window window_of(const Camera& camera, const Bounds& bounds) {
  const Mat3 axes = camera_axes(camera);
  Window window;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 world = bounds.corner(static_cast<Bounds::CornerType>(corner)).cast<double>();
    const Vec3 local = axes.transpose() * (world - camera.position);
    const Vec2 tangent = local.head<2>() / std::max(1e-9, -local.z());
    window.low = window.low.cwiseMin(tangent);
    window.high = window.high.cwiseMax(tangent);
  }
  return window;
}

void move_along_view(Camera& camera, double distance) {
  const Vec3 backward = (camera.position - camera.target).normalized();
  camera.position = camera.target + distance * backward;
}

}  // namespace

void Camera::describe(Describer<Camera>& d) {
  d.type("camera", "", "A pinhole camera.");
  d.parameter("position", &Camera::position, {.unit = "m", .doc = "Where the camera stands."});
  d.parameter("target", &Camera::target, {.unit = "m", .doc = "The point in the middle of the picture."});
  d.parameter("up", &Camera::up, {.doc = "The direction that is up in the picture."});
  d.parameter(
      "field_of_view", &Camera::field_of_view,
      {.unit = "degrees", .doc = "Angle from the lower to the upper edge.", .minimum = 1, .maximum = 150});
}

Camera frame_camera(const Bounds& bounds, double aspect) {
  HEDDLE_CHECK(!bounds.isEmpty());
  const Vec3 size = bounds.sizes().cast<double>();
  const double radius = std::max(1e-6, 0.5 * size.norm());
  const double side = size.y() > 1.5 * size.x() ? std::numbers::pi / 2 : 0;
  const double azimuth = side + kAzimuth - std::numbers::pi / 2;
  Camera camera;
  camera.target = bounds.center().cast<double>();
  camera.position = camera.target + Vec3(std::cos(kElevation) * std::cos(azimuth),
                                         std::cos(kElevation) * std::sin(azimuth), std::sin(kElevation));
  const double half = std::tan(0.5 * camera.field_of_view * kRadians);
  double distance = radius / std::sin(0.5 * camera.field_of_view * kRadians * std::min(1.0, aspect));
  move_along_view(camera, distance);
  // The perspective makes the window uneven: shift to its middle and refit until both agree.
  for (int round = 0; round < 12; ++round) {
    const Window window = window_of(camera, bounds);
    const Vec2 middle = 0.5 * (window.low + window.high);
    const Mat3 axes = camera_axes(camera);
    const Vec3 shift = distance * (axes.col(0) * middle.x() + axes.col(1) * middle.y());
    camera.target += shift;
    camera.position += shift;
    const Vec2 extent = 0.5 * (window.high - window.low);
    const double fill = std::max(extent.x() / (half * aspect), extent.y() / half) / kMargin;
    distance = std::max(1.05 * radius, distance * fill);
    move_along_view(camera, distance);
  }
  return camera;
}

std::optional<Vec2> project(const Camera& camera, double aspect, const Vec3& point) {
  const Vec3 local = camera_axes(camera).transpose() * (point - camera.position);
  if (local.z() >= 0) return std::nullopt;
  const double half = std::tan(0.5 * camera.field_of_view * kRadians);
  return Vec2(0.5 + 0.5 * local.x() / (-local.z() * half * aspect),
              0.5 - 0.5 * local.y() / (-local.z() * half));
}

CameraRays::CameraRays(const Camera& camera, int width, int height) : origin_(camera.position.cast<float>()) {
  const Mat3 axes = camera_axes(camera);
  const double step = 2 * std::tan(0.5 * camera.field_of_view * kRadians) / height;
  step_x_ = (step * axes.col(0)).cast<float>();
  step_y_ = (-step * axes.col(1)).cast<float>();
  corner_ = (-axes.col(2)).cast<float>() - 0.5f * static_cast<float>(width) * step_x_ -
            0.5f * static_cast<float>(height) * step_y_;
}

}  // namespace heddle
