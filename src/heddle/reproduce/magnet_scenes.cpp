#include <heddle/reproduce/magnet_scenes.h>

#include <heddle/core/random.h>

#include <cmath>
#include <numbers>

namespace heddle {

namespace {

const MagnetMaterial kIron{.kind = MagnetKind::induced, .susceptibility = 700};

MagnetMaterial magnetised(const Vec3& remanence) {
  return {.kind = MagnetKind::permanent, .remanence = remanence};
}

/// Cells per m3 for so many along an edge, m.
double density_of(double edge, int count) {
  return std::pow(count / edge, 3);
}

/// A permanent magnet with one ball at it and four below that one.
MagnetScene lifted_balls() {
  constexpr double kRadius = 0.006, kHalf = 0.01;
  MagnetScene scene;
  scene.add(solid_of(Box{{2 * kHalf, 2 * kHalf, 2 * kHalf}}), magnetised({0, 0, 1.2}),
            density_of(2 * kHalf, 4), {});
  const double first = -kHalf - kRadius;
  const auto add = [&](const Vec3& place) {
    scene.add(solid_of(Sphere{kRadius}), kIron, density_of(2 * kRadius, 4), {.translation = place});
  };
  add({0, 0, first});
  const double aside = kRadius * std::numbers::sqrt2;  // neighbours of the four touch each other
  for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
    add(aside * direction + Vec3(0, 0, first - aside));
  return scene;
}

/// A bent body in place of the dragon, in a shower of balls.
MagnetScene shower(double body_density) {
  constexpr double kRadius = 0.004;
  MagnetScene scene;
  scene.add(ring_solid(0.06, 0.025), magnetised({0, 0, 0.5}), body_density, {});
  Random random(1);
  // Layers of balls from just above the body upwards.
  for (int k = 0; k < 250; ++k) {
    const Vec3 place(0.016 * (k % 10 - 4.5), 0.016 * (k / 10 % 10 - 4.5), 0.02 + 0.03 * (k / 100));
    const Vec3 noise(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    scene.add(solid_of(Sphere{kRadius}), kIron, density_of(2 * kRadius, 2),
              {.translation = place + 0.003 * noise});
  }
  return scene;
}

/// A box magnet above four figures.
MagnetScene figures() {
  MagnetScene scene;
  scene.add(solid_of(Box{{0.06, 0.06, 0.06}}), magnetised({0, 0, 1.2}), density_of(0.06, 4),
            {.translation = {0, 0, 0.05}});
  for (const double x : {-0.02, 0.02})
    for (const double y : {-0.02, 0.02})
      scene.add(solid_of(Capsule{0.008, 0.016}), kIron, density_of(0.016, 2), {.translation = {x, y, 0}});
  return scene;
}

MagnetScene levitation() {
  constexpr double kRing = 0.03;  // m
  MagnetScene scene;
  scene.add(ring_solid(kRing, 0.018), magnetised({0, 0, 1}), 1e6, {});
  scene.add(solid_of(Box{{0.012, 0.012, 0.012}}), {.kind = MagnetKind::superconductor}, density_of(0.012, 4),
            {.translation = {0, 0, kRing / std::numbers::sqrt2}});
  return scene;
}

}  // namespace

int MagnetScene::cell_count() const {
  int sum = 0;
  for (const Magnet& magnet : magnets) sum += magnet.cells.leaf_count();
  return sum;
}

void MagnetScene::add(const std::shared_ptr<const Solid>& solid, const MagnetMaterial& material,
                      double density, const RigidTransform& pose) {
  auto made = make_magnet(solid, material, {.density = density}, "magnet");
  HEDDLE_CHECK(made.ok());
  magnets.push_back(std::move(*made));
  poses.push_back(pose);
}

std::shared_ptr<const Solid> solid_of(const ShapeVariant& shape) {
  auto made = make_solid(shape, {});
  HEDDLE_CHECK(made.ok());
  return *made;
}

std::shared_ptr<const Solid> ring_solid(double radius, double section) {
  constexpr int kAround = 64;
  TriangleMesh mesh;
  for (int i = 0; i < kAround; ++i)
    for (const Vec2& corner : {Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1)}) {
      const double angle = 2 * std::numbers::pi * i / kAround, r = radius + 0.5 * section * corner[0];
      mesh.positions.emplace_back(r * std::cos(angle), r * std::sin(angle), 0.5 * section * corner[1]);
    }
  for (int i = 0; i < kAround; ++i)
    for (int k = 0; k < 4; ++k) {
      const int a = 4 * i + k, b = 4 * i + (k + 1) % 4, next = 4 * ((i + 1) % kAround);
      mesh.triangles.push_back({a, next + k, b});
      mesh.triangles.push_back({b, next + k, next + (k + 1) % 4});
    }
  auto made = make_solid(mesh, "ring");
  HEDDLE_CHECK(made.ok());
  return *made;
}

Magnet unit_cube(int n, const Vec3& remanence) {
  auto made = make_magnet(solid_of(Box{{0.01, 0.01, 0.01}}), magnetised(remanence),
                          {.density = density_of(0.01, n)}, "cube");
  HEDDLE_CHECK(made.ok());
  return std::move(*made);
}

MagnetScene toy_magnets(double gap, bool parallel) {
  constexpr double kRadius = 0.003, kHeight = 0.012, kToy = 0.06, kBall = 0.006;  // m
  MagnetScene scene;
  const Quat along = rotation_from_degrees({0, 90, 0});  // z of the magnets becomes x
  const auto add_toy = [&](double right_end, double remanence) {
    for (const double end : {right_end - kToy + 0.5 * kHeight, right_end - 0.5 * kHeight})
      scene.add(solid_of(Cylinder{kRadius, kHeight}), magnetised({0, 0, remanence}),
                density_of(2 * kRadius, 2), {along, {end, 0, 0}});
  };
  add_toy(-kBall - gap, parallel ? 1.2 : -1.2);
  add_toy(kBall + kToy, 1.2);
  scene.add(solid_of(Sphere{kBall}), kIron, density_of(2 * kBall, 2), {});
  return scene;
}

std::vector<MagnetExample> magnet_examples() {
  return {{"6.1", 48, 0.29, 1.30, [] { return toy_magnets(0.02, false); }},
          {"6.2", 256, 3.9, 3.76, lifted_balls},
          {"6.3 (1)", 1824, 53.1, 6.72, [] { return shower(3e5); }},
          {"6.3 (2)", 3628, 57.6, 11.1, [] { return shower(2e6); }},
          {"6.4", 128, 1.65, 1.97, figures},
          {"6.5", 142, 0.33, 5.97, levitation}};
}

MagnetOptions published_options(bool adaptive) {
  MagnetOptions options;
  options.interaction.far_field = false;
  options.interaction.pair.contact_parts = false;
  options.interaction.pair.front = {.adaptive = adaptive, .opening = 1};
  options.induction.coupled = false;
  return options;
}

std::int64_t cell_pairs(const MagnetScene& scene, const FrontOptions& front) {
  std::vector<PlacedMagnet> placed;
  for (size_t i = 0; i < scene.magnets.size(); ++i) placed.emplace_back(scene.magnets[i], scene.poses[i]);
  std::int64_t sum = 0;
  std::vector<int> first, second;
  for (size_t i = 0; i < placed.size(); ++i)
    for (size_t j = i + 1; j < placed.size(); ++j) {
      choose_front(placed[i], placed[j], front, first);
      choose_front(placed[j], placed[i], front, second);
      sum += static_cast<std::int64_t>(first.size() * second.size());
    }
  return sum;
}

}  // namespace heddle
