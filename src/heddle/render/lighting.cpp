#include <heddle/render/lighting.h>
#include <heddle/render/sampling.h>

#include <numbers>

namespace heddle {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

/// `turn` and `elevation` in degrees; turn is counted from the camera's side, positive to its right.
Lighting::Disc disc(const Camera& camera, float turn, float elevation, float half_angle,
                    const Vec3f& irradiance) {
  const Vec3 to_camera = camera.position - camera.target;
  const double azimuth = std::atan2(to_camera.y(), to_camera.x()) + turn * kPi / 180;
  const double height = elevation * kPi / 180;
  Lighting::Disc light;
  light.direction =
      Vec3(std::cos(height) * std::cos(azimuth), std::cos(height) * std::sin(azimuth), std::sin(height))
          .cast<float>();
  const float half = half_angle * kPi / 180;
  light.cos_half_angle = std::cos(half);
  light.radiance = irradiance / (kPi * std::sin(half) * std::sin(half));
  return light;
}

}  // namespace

Lighting studio_lighting(const Camera& camera) {
  Lighting lighting;
  lighting.discs.push_back(disc(camera, -74, 40, 13, kPi * Vec3f(1.15f, 1.07f, 0.98f)));
  lighting.discs.push_back(disc(camera, 130, 28, 14, kPi * Vec3f(0.27f, 0.28f, 0.30f)));
  lighting.zenith = Vec3f(0.20f, 0.21f, 0.225f);
  lighting.horizon = Vec3f(0.09f, 0.092f, 0.097f);
  return lighting;
}

Vec3f sky_irradiance(const Lighting& lighting) {
  // Integral of the cosine times (1, cosine) over the upper half space: pi and 2 pi / 3.
  return kPi * lighting.horizon + 2 * kPi / 3 * (lighting.zenith - lighting.horizon);
}

Vec3f ground_irradiance(const Lighting& lighting) {
  Vec3f sum = sky_irradiance(lighting);
  for (const Lighting::Disc& light : lighting.discs) {
    const float sine2 = 1 - light.cos_half_angle * light.cos_half_angle;
    sum += kPi * sine2 * std::max(0.0f, light.direction.z()) * light.radiance;
  }
  return sum;
}

}  // namespace heddle
