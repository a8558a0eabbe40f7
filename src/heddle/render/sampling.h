#pragma once

#include <heddle/math/types.h>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace heddle {

/// A well-mixed hash of 32 bits.
inline std::uint32_t hash32(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

/// Pairs of numbers in [0, 1) for one sample of one pixel: the first two Sobol dimensions, shuffled and
/// Owen-scrambled anew for each pair (Burley 2020, Practical hash-based Owen scrambling). The numbers depend
/// only on pixel, sample and how many pairs were taken.
class PixelSampler {
 public:
  PixelSampler(std::uint32_t pixel, std::uint32_t sample)
      : seed_(hash32(pixel + 0x9e3779b9U)), sample_(sample) {}

  Eigen::Vector2f next() {
    const std::uint32_t seed = hash32(seed_ ^ (0x85ebca6bU * ++dimension_));
    const std::uint32_t index = scramble(sample_, seed);
    const std::uint32_t x = scramble(reverse(index), seed ^ 0x68bc21ebU);
    const std::uint32_t y = scramble(second_dimension(index), seed ^ 0x02e5be93U);
    return {unit(x), unit(y)};
  }

 private:
  static float unit(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

  static std::uint32_t reverse(std::uint32_t x) {
    x = ((x >> 1) & 0x55555555U) | ((x & 0x55555555U) << 1);
    x = ((x >> 2) & 0x33333333U) | ((x & 0x33333333U) << 2);
    x = ((x >> 4) & 0x0f0f0f0fU) | ((x & 0x0f0f0f0fU) << 4);
    return __builtin_bswap32(x);
  }

  /// Nested uniform scrambling by the hash of Laine and Karras 2011.
  static std::uint32_t scramble(std::uint32_t x, std::uint32_t seed) {
    x = reverse(x) + seed;
    x ^= x * 0x6c50b47cU;
    x ^= x * 0xb82f1e52U;
    x ^= x * 0xc7afe638U;
    x ^= x * 0x8d22f6e6U;
    return reverse(x);
  }

  static std::uint32_t second_dimension(std::uint32_t index) {
    std::uint32_t result = 0;
    for (std::uint32_t v = 1U << 31; index != 0; index >>= 1, v ^= v >> 1) result ^= v & (0U - (index & 1U));
    return result;
  }

  std::uint32_t seed_, sample_, dimension_ = 0;
};

/// Two unit vectors that complete a unit normal to a frame.
inline void tangent_frame(const Vec3f& normal, Vec3f& tangent, Vec3f& bitangent) {
  const float sign = std::copysign(1.0f, normal.z());
  const float a = -1 / (sign + normal.z());
  const float b = normal.x() * normal.y() * a;
  tangent = Vec3f(1 + sign * normal.x() * normal.x() * a, sign * b, -sign * normal.x());
  bitangent = Vec3f(b, sign + normal.y() * normal.y() * a, -normal.y());
}

/// Unit direction at `cosine` to the axis, turned about it by 2 pi `turn`.
inline Vec3f direction_about(const Vec3f& axis, float cosine, float turn) {
  Vec3f tangent, bitangent;
  tangent_frame(axis, tangent, bitangent);
  const float sine = std::sqrt(std::max(0.0f, 1 - cosine * cosine));
  const float angle = 2 * std::numbers::pi_v<float> * turn;
  return sine * std::cos(angle) * tangent + sine * std::sin(angle) * bitangent + cosine * axis;
}

/// Density proportional to the cosine to the normal.
inline Vec3f sample_cosine(const Vec3f& normal, const Eigen::Vector2f& u) {
  return direction_about(normal, std::sqrt(1 - u.x()), u.y());
}

/// Uniform over the cone with this cosine of its half angle.
inline Vec3f sample_cone(const Vec3f& axis, float cos_half_angle, const Eigen::Vector2f& u) {
  return direction_about(axis, 1 - u.x() * (1 - cos_half_angle), u.y());
}

inline float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

}  // namespace heddle
