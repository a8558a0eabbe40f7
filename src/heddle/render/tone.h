#pragma once

#include <heddle/io/image.h>
#include <heddle/math/types.h>

namespace heddle {

/// Linear [0, 1] to the sRGB curve.
float srgb(float linear);

/// Filmic curve: almost straight up to middle tones, then a soft shoulder towards 1. Half of the compression
/// acts on all channels alike, so that bright colours keep their hue.
Vec3f tone_map(const Vec3f& radiance);

/// 8-bit picture of a field of radiances. A pinch of fixed noise below one step of the 8 bits hides banding.
Image develop(const std::vector<Vec3f>& radiance, int width, int height, float exposure);

}  // namespace heddle
