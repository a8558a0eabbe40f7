#include <heddle/render/sampling.h>
#include <heddle/render/textile.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// Everything that leaves towards a viewer at `cos_out` in a white world.
float furnace(const TextileSurface& surface, float cos_out) {
  const Vec3f out(std::sqrt(1 - cos_out * cos_out), 0, cos_out);
  float sum = 0;
  constexpr int kSteps = 64;
  for (int i = 0; i < kSteps; ++i) {
    for (int j = 0; j < kSteps; ++j) {
      const Vec3f in = sample_cosine(
          Vec3f::UnitZ(), {(static_cast<float>(i) + 0.5f) / kSteps, (static_cast<float>(j) + 0.5f) / kSteps});
      sum += scatter(surface, cos_out, in.z(), (in + out).normalized().z()).x();
      sum += scatter(surface, cos_out, -in.z(), 0).x();
    }
  }
  return sum / (kSteps * kSteps);
}

TEST(Scatter, KeepsAllLightIfWhite) {
  const TextileSurface white{.albedo = Vec3f::Ones(), .translucency = 0.2f, .sheen = 0.3f};
  for (float cosine : {0.05f, 0.2f, 0.5f, 0.9f, 1.0f}) EXPECT_NEAR(furnace(white, cosine), 1, 0.01) << cosine;
}

TEST(Scatter, AbsorbsWhatTheAlbedoSays) {
  const TextileSurface grey{.albedo = Vec3f::Constant(0.4f), .translucency = 0.1f};
  EXPECT_NEAR(furnace(grey, 0.7f), 0.4f, 1e-4);
}

TEST(Scatter, ShinesMostAtGrazingAngles) {
  const TextileSurface velvet{.albedo = Vec3f::Zero(), .sheen = 0.3f};
  EXPECT_GT(furnace(velvet, 0.1f), 2 * furnace(velvet, 0.95f));
}

TEST(Weave, HasItsPeriodAndAlternates) {
  const Eigen::Vector2f uv(0.0031f, 0.0012f);
  const auto at = [&](float du, float dv) {
    return evaluate_pattern(Pattern::weave, 0.02f, uv + Eigen::Vector2f(du, dv), 1e-5f);
  };
  EXPECT_NEAR(at(0, 0).brightness, at(0.02f, 0.02f).brightness, 1e-3);
  EXPECT_NEAR(at(0, 0).brightness, at(0.01f, 0.01f).brightness, 1e-3);
  EXPECT_GT(std::abs(at(0, 0).tilt.y() - at(0.01f, 0).tilt.y()), 0.05f);
}

TEST(Patterns, FadeToTheirAverage) {
  for (Pattern pattern : {Pattern::weave, Pattern::checker}) {
    double brightness = 0, whiteness = 0;
    constexpr int kSteps = 80;
    for (int i = 0; i < kSteps; ++i) {
      for (int j = 0; j < kSteps; ++j) {
        const Eigen::Vector2f uv(0.04f * (static_cast<float>(i) + 0.5f) / kSteps,
                                 0.04f * (static_cast<float>(j) + 0.5f) / kSteps);
        const PatternSample sample = evaluate_pattern(pattern, 0.02f, uv, 1e-6f);
        brightness += sample.brightness / (kSteps * kSteps);
        whiteness += sample.whiteness / (kSteps * kSteps);
      }
    }
    const PatternSample far = evaluate_pattern(pattern, 0.02f, {0.003f, 0.004f}, 1);
    EXPECT_NEAR(far.brightness, brightness, 0.01);
    EXPECT_NEAR(far.whiteness, whiteness, 0.01);
    EXPECT_TRUE(far.tilt.isZero());
  }
}

TEST(PixelSampler, FillsTheSquareEvenly) {
  std::array<int, 16> cells{};
  for (std::uint32_t i = 0; i < 16; ++i) {
    PixelSampler sampler(77, i);
    sampler.next();
    const Eigen::Vector2f u = sampler.next();
    ++cells[static_cast<size_t>(4 * std::floor(4 * u.x()) + std::floor(4 * u.y()))];
  }
  for (int count : cells) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace heddle
