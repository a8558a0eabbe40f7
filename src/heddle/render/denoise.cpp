#include <heddle/parallel/parallel.h>
#include <heddle/render/denoise.h>

#include <array>

namespace heddle {
namespace {

constexpr int kLevels = 4;
constexpr float kNormalPower = 24;
constexpr float kAlbedoScale = 0.06f;
constexpr float kNoiseless = 1e-9f;  // variance that cannot be seen
constexpr float kNoiseScale = 2.2f;  // standard deviations of brightness that count as like

struct Light {
  std::vector<Vec3f> value;
  std::vector<float> variance;
};

float luminance(const Vec3f& colour) {
  return colour.dot(Vec3f(0.2126f, 0.7152f, 0.0722f));
}

/// 1 for pixels of the same surface, towards 0 for others.
float likeness(const Film& film, size_t a, size_t b) {
  const float albedo = (film.albedo[a] - film.albedo[b]).squaredNorm() / (kAlbedoScale * kAlbedoScale);
  const float normal = (film.normal[a] - film.normal[b]).squaredNorm();
  return std::exp(-albedo - kNormalPower * normal);
}

void filter_pixel(const Film& film, const Light& in, Light& out, int x, int y, int step) {
  constexpr std::array<float, 3> kKernel{0.375f, 0.25f, 0.0625f};
  const auto at = [&](int px, int py) {
    return static_cast<size_t>(py) * static_cast<size_t>(film.width) + static_cast<size_t>(px);
  };
  const size_t own = at(x, y);
  out.value[own] = in.value[own];
  out.variance[own] = in.variance[own];
  if (in.variance[own] < kNoiseless) return;
  const float own_light = luminance(in.value[own]);
  Vec3f sum = Vec3f::Zero();
  float weights = 0, variance = 0;
  for (int j = -2; j <= 2; ++j) {
    for (int i = -2; i <= 2; ++i) {
      const int px = x + i * step, py = y + j * step;
      if (px < 0 || py < 0 || px >= film.width || py >= film.height) continue;
      const size_t other = at(px, py);
      const float noise = std::sqrt(std::max(in.variance[own], in.variance[other])) + 1e-4f;
      const float apart = std::abs(luminance(in.value[other]) - own_light) / (kNoiseScale * noise);
      const float weight = kKernel[static_cast<size_t>(std::abs(i))] *
                           kKernel[static_cast<size_t>(std::abs(j))] * std::exp(-apart * apart) *
                           likeness(film, own, other);
      sum += weight * in.value[other];
      variance += weight * weight * in.variance[other];
      weights += weight;
    }
  }
  out.value[own] = sum / weights;
  out.variance[own] = variance / (weights * weights);
}

/// Few samples estimate a variance badly; a blur makes it trustworthy.
std::vector<float> blurred(const Film& film) {
  std::vector<float> result(film.size());
  parallel_for(
      film.height,
      [&](int y) {
        for (int x = 0; x < film.width; ++x) {
          float sum = 0, count = 0;
          for (int py = std::max(0, y - 1); py <= std::min(film.height - 1, y + 1); ++py)
            for (int px = std::max(0, x - 1); px <= std::min(film.width - 1, x + 1); ++px, ++count)
              sum += film.variance[static_cast<size_t>(py) * static_cast<size_t>(film.width) +
                                   static_cast<size_t>(px)];
          result[static_cast<size_t>(y) * static_cast<size_t>(film.width) + static_cast<size_t>(x)] =
              sum / count;
        }
      },
      8);
  return result;
}

}  // namespace

void denoise(Film& film) {
  Light light{film.radiance, blurred(film)};
  for (size_t i = 0; i < film.size(); ++i) light.value[i] = light.value[i].cwiseQuotient(film.albedo[i]);
  Light next = light;
  for (int level = 0; level < kLevels; ++level) {
    const int step = 1 << level;
    parallel_for(
        film.height,
        [&](int y) {
          for (int x = 0; x < film.width; ++x) filter_pixel(film, light, next, x, y, step);
        },
        8);
    std::swap(light, next);
  }
  for (size_t i = 0; i < film.size(); ++i) film.radiance[i] = light.value[i].cwiseProduct(film.albedo[i]);
}

}  // namespace heddle
