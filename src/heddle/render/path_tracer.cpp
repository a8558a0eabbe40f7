#include <heddle/parallel/parallel.h>
#include <heddle/render/path_tracer.h>
#include <heddle/render/sampling.h>

namespace heddle {
namespace {

using Vec2f = Eigen::Vector2f;
constexpr float kPi = std::numbers::pi_v<float>;
constexpr int kTile = 8;                   // pixels
constexpr float kBrightest = 6;            // radiance of a single sample is cut here: no fireflies
constexpr int kFewSamples = 6;             // after which an even tile stops
constexpr float kEven = 2e-5f;             // variance of the samples of an even pixel
constexpr float kBlurredFootprint = 1e3f;  // m: bounced rays see patterns as their average

float luminance(const Vec3f& colour) {
  return colour.dot(Vec3f(0.2126f, 0.7152f, 0.0722f));
}

/// What one camera ray brings back.
struct Sample {
  Vec3f radiance = Vec3f::Zero();
  Vec3f albedo = Vec3f::Ones();
  Vec3f normal = Vec3f::Zero();
};

class Tracer {
 public:
  Tracer(const PictureStage& stage, const Appearance& appearance, const Lighting& lighting,
         const Camera& camera, const TraceOptions& options)
      : stage_(stage),
        appearance_(appearance),
        lighting_(lighting),
        options_(options),
        rays_(camera, options.width, options.height),
        centre_(stage.bounds().isEmpty() ? Vec3f::Zero() : Vec3f(stage.bounds().center())),
        far_(stage.bounds().isEmpty() ? 1.0f : 2.2f * stage.bounds().sizes().norm()) {}

  /// All pixels of the tile whose upper left corner this is.
  void tile(int x0, int y0, Film& film) const;

 private:
  Sample sample(int x, int y, PixelSampler& sampler) const;
  Vec3f scattered(const ShadingPoint& point, const Vec3f& direction, int bounces,
                  PixelSampler& sampler) const;
  Vec3f direct(const ShadingPoint& point, const Vec3f& direction, PixelSampler& sampler) const;
  Vec3f ground_light(const ShadingPoint& point, const Vec3f& direction, PixelSampler& sampler) const;
  Ray leave(const ShadingPoint& point, const Vec3f& direction) const;
  /// 0 near the objects, 1 where the ground has become background.
  float ground_fade(const Hit& hit) const;

  const PictureStage& stage_;
  const Appearance& appearance_;
  const Lighting& lighting_;
  TraceOptions options_;
  CameraRays rays_;
  Vec3f centre_;
  float far_;
};

Ray Tracer::leave(const ShadingPoint& point, const Vec3f& direction) const {
  const float side = point.geometric_normal.dot(direction) > 0 ? 1.0f : -1.0f;
  return {point.position + side * stage_.offset() * point.geometric_normal, direction};
}

float Tracer::ground_fade(const Hit& hit) const {
  const float distance = (hit.position - centre_).head<2>().norm();
  return smooth_step(0.8f * far_, 4.5f * far_, distance);
}

/// Light may only cross the surface where both normals agree about the side.
bool consistent(const ShadingPoint& point, const Vec3f& direction, float cosine) {
  return (point.geometric_normal.dot(direction) > 0) == (cosine > 0);
}

/// Light of the whole disc as if it all came from `to_light`. Discs that are entirely above the surface are
/// represented by their centre, which leaves only their visibility to chance.
Vec3f disc_light(const ShadingPoint& point, const Vec3f& direction, const Lighting::Disc& light,
                 const Vec3f& to_light) {
  const float sine2 = 1 - light.cos_half_angle * light.cos_half_angle;
  const float centre = point.normal.dot(light.direction);
  const bool entire = centre * centre > sine2;
  const Vec3f& shown = entire ? light.direction : to_light;
  const float cosine = point.normal.dot(shown);
  if (cosine < 0 && point.surface.translucency == 0) return Vec3f::Zero();
  const float cos_half = point.normal.dot((shown - direction).normalized());
  const float extent = entire ? sine2 : 2 * (1 - light.cos_half_angle);
  return scatter(point.surface, -point.normal.dot(direction), cosine, cos_half).cwiseProduct(light.radiance) *
         (std::abs(cosine) * extent);
}

Vec3f Tracer::direct(const ShadingPoint& point, const Vec3f& direction, PixelSampler& sampler) const {
  Vec3f sum = Vec3f::Zero();
  for (const Lighting::Disc& light : lighting_.discs) {
    const Vec3f to_light = sample_cone(light.direction, light.cos_half_angle, sampler.next());
    if (!consistent(point, to_light, point.normal.dot(to_light))) continue;
    const Vec3f arriving = disc_light(point, direction, light, to_light);
    if (arriving.isZero() || stage_.occluded(leave(point, to_light))) continue;
    sum += arriving;
  }
  return sum;
}

Vec3f Tracer::scattered(const ShadingPoint& point, const Vec3f& direction, int bounces,
                        PixelSampler& sampler) const {
  Vec3f sum = direct(point, direction, sampler);
  const Vec2f lobe = sampler.next();
  const float through = point.surface.translucency;
  const bool transmitted = lobe.x() < through;
  const Vec3f axis = transmitted ? Vec3f(-point.normal) : point.normal;
  const Vec3f next = sample_cosine(axis, sampler.next());
  const float cosine = point.normal.dot(next);
  if (!consistent(point, next, cosine)) return sum;
  const float cos_half = point.normal.dot((next - direction).normalized());
  const Vec3f share = scatter(point.surface, -point.normal.dot(direction), cosine, cos_half) /
                      (transmitted ? through : 1 - through);
  Hit hit;
  if (!stage_.intersect(leave(point, next), hit)) return sum + share.cwiseProduct(lighting_.sky(next));
  if (bounces <= 0) return sum;
  // Dark surfaces swallow most light: follow only as many paths as matter, with more weight.
  const float follow = bounces == options_.bounces ? 1 : std::clamp(1.5f * share.maxCoeff(), 0.1f, 1.0f);
  if (lobe.y() >= follow) return sum;
  const ShadingPoint far = shade(appearance_, hit, next, kBlurredFootprint);
  return sum + share.cwiseProduct(scattered(far, next, bounces - 1, sampler)) / follow;
}

/// The open ground's light is known; only what the objects take and give is left to chance.
Vec3f Tracer::ground_light(const ShadingPoint& point, const Vec3f& direction, PixelSampler& sampler) const {
  const Vec3f open = sky_irradiance(lighting_) / kPi;
  Vec3f light = open.cwiseProduct(point.surface.albedo) + direct(point, direction, sampler);
  const Vec3f next = sample_cosine(point.normal, sampler.next());
  Hit hit;
  if (!stage_.intersect(leave(point, next), hit)) return light;
  const ShadingPoint far = shade(appearance_, hit, next, kBlurredFootprint);
  const Vec3f change = scattered(far, next, options_.bounces - 1, sampler) - lighting_.sky(next);
  light += change.cwiseProduct(point.surface.albedo);
  return light.cwiseMin(kBrightest);
}

Sample Tracer::sample(int x, int y, PixelSampler& sampler) const {
  const Vec2f jitter = sampler.next();
  // A tent one and a half pixels wide gives softer edges than a box.
  const auto tent = [](float u) {
    return 0.75f * (u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u));
  };
  const Vec3f direction = rays_.direction(static_cast<float>(x) + 0.5f + tent(jitter.x()),
                                          static_cast<float>(y) + 0.5f + tent(jitter.y()));
  const Ray ray{rays_.origin(), direction};
  Sample result;
  Hit hit;
  result.radiance = background(lighting_, direction);
  if (!stage_.intersect(ray, hit)) return result;
  const float fade = hit.kind == Hit::Kind::ground ? ground_fade(hit) : 0;
  if (fade >= 1) return result;
  const ShadingPoint point = shade(appearance_, hit, direction, hit.distance * rays_.pixel_size());
  const Vec3f light =
      hit.kind == Hit::Kind::ground
          ? ground_light(point, direction, sampler)
          : scattered(point, direction, options_.bounces, sampler).cwiseMin(kBrightest).eval();
  result.radiance = (1 - fade) * light + fade * result.radiance;
  result.albedo = point.surface.albedo + Vec3f::Constant(0.02f);
  result.normal = point.normal;
  return result;
}

/// Sums over the samples of a pixel.
struct Pixel {
  Sample sum{.albedo = Vec3f::Zero()};
  double light = 0, light2 = 0;  // luminance over albedo, and its square
  int count = 0;

  void add(const Sample& one) {
    sum.radiance += one.radiance;
    sum.albedo += one.albedo;
    sum.normal += one.normal;
    const double value = luminance(one.radiance) / luminance(one.albedo);
    light += value;
    light2 += value * value;
    ++count;
  }
  double spread() const { return std::max(0.0, light2 / count - light * light / (1.0 * count * count)); }
};

void store(const Pixel& pixel, size_t index, Film& film) {
  const float scale = 1.0f / static_cast<float>(pixel.count);
  film.radiance[index] = scale * pixel.sum.radiance;
  film.albedo[index] = scale * pixel.sum.albedo;
  film.normal[index] = scale * pixel.sum.normal;
  film.variance[index] = static_cast<float>(pixel.spread() / pixel.count);
}

void Tracer::tile(int x0, int y0, Film& film) const {
  const int x1 = std::min(x0 + kTile, film.width), y1 = std::min(y0 + kTile, film.height);
  std::vector<Pixel> pixels(static_cast<size_t>((x1 - x0) * (y1 - y0)));
  const auto index = [&](int x, int y) {
    return static_cast<size_t>(y) * static_cast<size_t>(film.width) + static_cast<size_t>(x);
  };
  const auto take = [&](int from, int to) {
    auto pixel = pixels.begin();
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x, ++pixel) {
        for (int i = from; i < to; ++i) {
          PixelSampler sampler(static_cast<std::uint32_t>(index(x, y)), static_cast<std::uint32_t>(i));
          pixel->add(sample(x, y, sampler));
        }
      }
    }
  };
  const int few = std::min(kFewSamples, options_.samples);
  take(0, few);
  // Only whole tiles stop early: a single pixel may look even by chance.
  const bool even =
      std::all_of(pixels.begin(), pixels.end(), [](const Pixel& p) { return p.spread() < kEven; });
  if (!even) take(few, options_.samples);
  auto pixel = pixels.begin();
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x, ++pixel) store(*pixel, index(x, y), film);
}

int greatest_common_divisor(int a, int b) {
  return b == 0 ? a : greatest_common_divisor(b, a % b);
}

}  // namespace

Vec3f background(const Lighting& lighting, const Vec3f& direction) {
  const Vec3f floor = 0.49f / kPi * ground_irradiance(lighting);
  const float height = smooth_step(-0.05f, 0.55f, direction.z());
  return floor * (1 - 0.7f * height);
}

Film trace(const PictureStage& stage, const Appearance& appearance, const Lighting& lighting,
           const Camera& camera, const TraceOptions& options) {
  Film film(options.width, options.height);
  const Tracer tracer(stage, appearance, lighting, camera, options);
  const int columns = (options.width + kTile - 1) / kTile;
  const int tiles = columns * ((options.height + kTile - 1) / kTile);
  // Threads get neighbouring numbers; a stride spreads those over the picture, so that all have the same to
  // do.
  int stride = std::max(1, static_cast<int>(0.618 * tiles));
  while (greatest_common_divisor(stride, tiles) != 1) ++stride;
  const auto render_tile = [&](int number) {
    const int tile = static_cast<int>(static_cast<std::int64_t>(number) * stride % tiles);
    tracer.tile(tile % columns * kTile, tile / columns * kTile, film);
  };
  parallel_for(tiles, render_tile, 1);
  return film;
}

}  // namespace heddle
