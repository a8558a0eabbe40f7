#include <heddle/render/sampling.h>
#include <heddle/render/tone.h>

namespace heddle {
namespace {

constexpr float kShoulder = 0.5f;  // radiance up to which the curve is straight

float curve(float x) {
  if (x <= kShoulder) return x;
  const float room = 1 - kShoulder;
  return kShoulder + room * (1 - std::exp(-(x - kShoulder) / room));
}

std::uint8_t quantised(float value, std::uint32_t seed) {
  const float noise = static_cast<float>(hash32(seed) >> 8) * 0x1p-24f;
  return static_cast<std::uint8_t>(std::clamp(255 * value + noise, 0.0f, 255.0f));
}

}  // namespace

float srgb(float linear) {
  const float x = std::clamp(linear, 0.0f, 1.0f);
  return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
}

Vec3f tone_map(const Vec3f& radiance) {
  const float peak = std::max(1e-6f, radiance.maxCoeff());
  const Vec3f together = radiance * (curve(peak) / peak);
  const Vec3f apart = radiance.unaryExpr(&curve);
  return 0.5f * (together + apart);
}

Image develop(const std::vector<Vec3f>& radiance, int width, int height, float exposure) {
  Image image;
  image.width = width;
  image.height = height;
  image.rgb.resize(3 * radiance.size());
  for (size_t i = 0; i < radiance.size(); ++i) {
    const Vec3f colour = tone_map(exposure * radiance[i]);
    for (int channel = 0; channel < 3; ++channel) {
      const size_t place = 3 * i + static_cast<size_t>(channel);
      image.rgb[place] = quantised(srgb(colour[channel]), static_cast<std::uint32_t>(place));
    }
  }
  return image;
}

}  // namespace heddle
