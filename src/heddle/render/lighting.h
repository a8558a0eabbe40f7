#pragma once

#include <heddle/render/camera.h>

#include <vector>

namespace heddle {

/// Light that is the same everywhere: distant discs, which cast soft shadows, and a sky dome. Being
/// infinitely far away they light an empty ground evenly, so that the ground can blend into the background
/// without a seam.
struct Lighting {
  struct Disc {
    Vec3f direction;       // unit, towards the light
    float cos_half_angle;  // in (0, 1)
    Vec3f radiance;
  };
  std::vector<Disc> discs;
  Vec3f zenith{0, 0, 0};   // radiance of the dome straight up
  Vec3f horizon{0, 0, 0};  // radiance of the dome at and below the horizon

  Vec3f sky(const Vec3f& direction) const {
    const float height = std::max(0.0f, direction.z());
    return horizon + height * (zenith - horizon);
  }
};

/// Large soft key light from the upper left of the camera, a weaker rim light from behind, and a pale dome.
/// White paper on the ground comes out at a radiance near 1.
Lighting studio_lighting(const Camera& camera);

/// Irradiance of the dome on open ground.
Vec3f sky_irradiance(const Lighting& lighting);

/// Irradiance of dome and discs on the unshadowed ground.
Vec3f ground_irradiance(const Lighting& lighting);

}  // namespace heddle
