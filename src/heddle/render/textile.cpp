#include <heddle/render/sampling.h>
#include <heddle/render/textile.h>

#include <array>

namespace heddle {
namespace {

using Vec2f = Eigen::Vector2f;
constexpr float kPi = std::numbers::pi_v<float>;
constexpr int kTableSize = 32;

float fraction(float x) {
  return x - std::floor(x);
}

/// Fibre lobe of Estevez and Kulla 2017: sine-power distribution of roughness 0.5, with the visibility term
/// of Neubelt and Pettineo. The floor of the denominator keeps single samples from becoming fireflies.
float sheen_lobe(float cos_out, float cos_in, float cos_half) {
  const float distribution = 4 / (2 * kPi) * std::max(0.0f, 1 - cos_half * cos_half);
  const float visibility = 1 / std::max(0.6f, 4 * (cos_out + cos_in - cos_out * cos_in));
  return distribution * visibility;
}

/// Share of light that the lobe of strength 1 scatters towards a viewer at cos_out.
float integrate_sheen(float cos_out) {
  constexpr int kSteps = 24;
  const Vec3f out(std::sqrt(1 - cos_out * cos_out), 0, cos_out);
  float sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    for (int j = 0; j < kSteps; ++j) {
      const Vec2f u((static_cast<float>(i) + 0.5f) / kSteps, (static_cast<float>(j) + 0.5f) / kSteps);
      const Vec3f in = sample_cosine(Vec3f::UnitZ(), u);
      sum += kPi * sheen_lobe(cos_out, in.z(), (in + out).normalized().z());
    }
  }
  return sum / (kSteps * kSteps);
}

float sheen_share(float cos_out) {
  static const std::array<float, kTableSize + 1> table = [] {
    std::array<float, kTableSize + 1> built{};
    for (int i = 0; i <= kTableSize; ++i)
      built[static_cast<size_t>(i)] = integrate_sheen(static_cast<float>(i) / kTableSize);
    return built;
  }();
  const float x = std::clamp(cos_out, 0.0f, 1.0f) * kTableSize;
  const auto cell = static_cast<size_t>(std::min(x, kTableSize - 1.0f));
  return std::lerp(table[cell], table[cell + 1], x - static_cast<float>(cell));
}

/// One float of the plain weave: the yarn on top runs along `along`, both coordinates in [-1, 1].
PatternSample yarn(float along, float across, float tone) {
  PatternSample sample;
  const float edge = across * across;
  const float dive = along * along;
  const float ply = std::sin(2 * kPi * (0.85f * along + 1.1f * across));  // the twist of the yarn
  sample.brightness = tone * (1.06f - 0.42f * edge * edge - 0.2f * dive) + 0.045f * ply;
  sample.tilt = Vec2f(0.34f * along, 0.6f * across);
  return sample;
}

PatternSample weave(const Vec2f& uv, float size, float footprint) {
  constexpr float kAverage = 0.864f;  // of the brightness over a period
  const float pitch = 0.5f * size;
  const Vec2f cell = uv / pitch;
  const float s = 2 * fraction(cell.x()) - 1;
  const float t = 2 * fraction(cell.y()) - 1;
  const bool weft_on_top = fraction(0.5f * (std::floor(cell.x()) + std::floor(cell.y()))) < 0.25f;
  PatternSample sample = weft_on_top ? yarn(s, t, 1.0f) : yarn(t, s, 0.9f);
  if (!weft_on_top) std::swap(sample.tilt.x(), sample.tilt.y());
  const float visible = 1 - smooth_step(0.45f, 1.3f, footprint / pitch);
  sample.brightness = std::lerp(kAverage, sample.brightness, visible);
  sample.tilt *= visible;
  return sample;
}

PatternSample checker(const Vec2f& uv, float size, float footprint) {
  const Vec2f cell = uv / size;
  const float odd = fraction(0.5f * (std::floor(cell.x()) + std::floor(cell.y()))) < 0.25f ? 0.0f : 1.0f;
  PatternSample sample;
  sample.whiteness = std::lerp(0.5f, odd, 1 - smooth_step(0.5f, 1.5f, footprint / size));
  return sample;
}

}  // namespace

std::optional<Pattern> pattern_from_name(const std::string& name) {
  if (name == "plain") return Pattern::plain;
  if (name == "weave") return Pattern::weave;
  if (name == "checker") return Pattern::checker;
  return std::nullopt;
}

PatternSample evaluate_pattern(Pattern pattern, float size, const Vec2f& uv, float footprint) {
  if (pattern == Pattern::weave) return weave(uv, size, footprint);
  if (pattern == Pattern::checker) return checker(uv, size, footprint);
  return {};
}

Vec3f scatter(const TextileSurface& surface, float cos_out, float cos_in, float cos_half) {
  const float below = 1 - std::min(1.0f, surface.sheen * sheen_share(cos_out));
  if (cos_in < 0) return below * surface.translucency * surface.albedo;
  const Vec3f fuzz = surface.sheen * kPi * sheen_lobe(cos_out, cos_in, cos_half) * surface.sheen_colour;
  return below * (1 - surface.translucency) * surface.albedo + fuzz;
}

}  // namespace heddle
