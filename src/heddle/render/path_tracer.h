#pragma once

#include <heddle/render/appearance.h>
#include <heddle/render/lighting.h>

namespace heddle {

struct TraceOptions {
  int width = 1280;
  int height = 720;
  int samples = 16;  // per pixel; pixels without any detail stop earlier
  int bounces = 2;   // of light between surfaces
};

/// What the tracer found, row by row from the top: radiance, and the features that guide the removal of
/// noise.
struct Film {
  Film(int w, int h)
      : width(w),
        height(h),
        radiance(size(), Vec3f::Zero()),
        albedo(size(), Vec3f::Zero()),
        normal(size(), Vec3f::Zero()),
        variance(size(), 0.0f) {}
  size_t size() const { return static_cast<size_t>(width) * static_cast<size_t>(height); }

  int width, height;
  std::vector<Vec3f> radiance;
  std::vector<Vec3f> albedo;
  std::vector<Vec3f> normal;
  std::vector<float> variance;  // of the mean luminance over the albedo's luminance
};

/// Colour behind everything, seen in a unit direction.
Vec3f background(const Lighting& lighting, const Vec3f& direction);

/// Path tracing with direct light at every hit. The result depends on nothing but the arguments, whatever the
/// number of threads.
Film trace(const PictureStage& stage, const Appearance& appearance, const Lighting& lighting,
           const Camera& camera, const TraceOptions& options);

}  // namespace heddle
