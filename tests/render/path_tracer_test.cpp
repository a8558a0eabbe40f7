#include "sample_drape.h"

#include <heddle/render/path_tracer.h>

#include <gtest/gtest.h>

#include <numbers>

namespace heddle {
namespace {

using test::Drape;

Lighting white_world() {
  Lighting lighting;
  lighting.zenith = lighting.horizon = Vec3f::Ones();
  return lighting;
}

Film film_of(const Drape& drape, const Camera& camera, const Lighting& lighting, int samples, int bounces) {
  const PictureStage stage(drape.model, drape.snapshot, ColourField::fabric, std::nullopt);
  const auto appearance = make_appearance(drape.model, ColourField::fabric, 1);
  return trace(stage, *appearance, lighting, camera,
               {.width = 48, .height = 32, .samples = samples, .bounces = bounces});
}

TEST(Trace, NeverMakesLightInAWhiteWorld) {
  Drape drape = test::sample_drape(24);
  drape.model.materials[0] = {
      .front_colour = Vec3f::Ones(), .back_colour = Vec3f::Ones(), .pattern = "plain"};
  const Camera camera = frame_camera(snapshot_bounds(drape.model, drape.snapshot), 1.5);
  const Film film = film_of(drape, camera, white_world(), 64, 6);
  float brightest = 0;
  for (size_t i = 0; i < film.size(); ++i)
    if (!film.normal[i].isZero()) brightest = std::max(brightest, film.radiance[i].maxCoeff());
  EXPECT_LE(brightest, 1.02f);
  EXPECT_GE(brightest, 0.6f);
}

TEST(Trace, OpenGroundHasTheKnownRadiance) {
  const Drape drape = test::flat_cloth(1, 1, Vec3f::Ones());
  const Camera camera{.position = {1.5, -3, 4}, .target = {1.5, -1.5, 1}};
  const Lighting lighting = studio_lighting(camera);
  const Film film = film_of(drape, camera, lighting, 4, 2);
  const size_t middle = 16 * 48 + 24;
  const Vec3f expected =
      film.albedo[middle].cwiseProduct(ground_irradiance(lighting)) / std::numbers::pi_v<float>;
  EXPECT_GT(film.radiance[middle].x(), 0.2f);
  EXPECT_NEAR(film.radiance[middle].x() / expected.x(), 1, 0.06);
}

TEST(Trace, ClothCastsAShadowWhereTheKeyLightIsHidden) {
  const Drape drape = test::flat_cloth(1, 0.5f, Vec3f::Constant(0.1f));
  Lighting sun;
  sun.discs.push_back({Vec3f(0.6f, 0, 0.8f), 0.9999f, Vec3f::Constant(1000)});
  const PictureStage stage(drape.model, drape.snapshot, ColourField::fabric, 0.0);
  const auto appearance = make_appearance(drape.model, ColourField::fabric, 1);
  const auto ground_at = [&](double x) {
    const Camera camera{.position = {x, -4, 0.4}, .target = {x, 0, 0}, .field_of_view = 2};
    const Film film =
        trace(stage, *appearance, sun, camera, {.width = 17, .height = 17, .samples = 8, .bounces = 0});
    return film.radiance[17 * 8 + 8].x();
  };
  // The shadow is moved by height * tan(angle) = 0.375 m away from the light.
  EXPECT_LT(ground_at(-0.4), 1e-3f);
  EXPECT_LT(ground_at(-0.8), 1e-3f);
  EXPECT_GT(ground_at(0.3), 0.01f);
  EXPECT_GT(ground_at(-1.0), 0.01f);
}

TEST(PictureStage, KnowsFrontBackAndOcclusion) {
  Drape drape = test::flat_cloth(1, 1, Vec3f::Ones());
  test::add_ball(drape, {0, 0, 2}, 0.2f);
  const PictureStage stage(drape.model, drape.snapshot, ColourField::fabric, 0.0);
  Hit hit;
  ASSERT_TRUE(stage.intersect({{0.4f, 0.3f, 1.5f}, {0, 0, -1}}, hit));
  EXPECT_EQ(hit.kind, Hit::Kind::cloth);
  EXPECT_TRUE(hit.front);
  EXPECT_NEAR(hit.distance, 0.5f, 1e-5);
  EXPECT_NEAR(hit.normal.z(), 1, 1e-5);
  ASSERT_TRUE(stage.intersect({{0.4f, 0.3f, 0.5f}, {0, 0, 1}}, hit));
  EXPECT_FALSE(hit.front);
  ASSERT_TRUE(stage.intersect({{0, 0, 1.2f}, {0, 0, 1}}, hit));
  EXPECT_EQ(hit.kind, Hit::Kind::obstacle);
  ASSERT_TRUE(stage.intersect({{2, 0, 1.2f}, {0, 0, -1}}, hit));
  EXPECT_EQ(hit.kind, Hit::Kind::ground);
  EXPECT_NEAR(hit.distance, 1.2f, 1e-5);
  EXPECT_FALSE(stage.intersect({{2, 0, 1.2f}, {0, 0, 1}}, hit));
  EXPECT_TRUE(stage.occluded({{0, 0, 1.2f}, {0, 0, 1}}));
  EXPECT_FALSE(stage.occluded({{0.4f, 0, 1.2f}, {0, 0, 1}}));
}

TEST(PictureStage, WideLevelObstaclesAreTheGround) {
  Drape drape = test::flat_cloth(1, 1, Vec3f::Ones());
  test::add_level_plane(drape, 0.25f, 5);
  const PictureStage stage(drape.model, drape.snapshot, ColourField::fabric, -3.0);
  EXPECT_NEAR(stage.ground_height(), 0.25f, 1e-6);
  EXPECT_NEAR(stage.bounds().sizes().x(), 1, 1e-5);
  EXPECT_NEAR(snapshot_bounds(drape.model, drape.snapshot).min().z(), 1, 1e-6);
}

/// A roof of two slopes, 0.2 m wide, whose flat top is 0.1 m wide and lies at `height`.
void add_roof(Drape& drape, float height) {
  SnapshotObject roof;
  roof.name = "roof";
  for (const float y : {-0.1f, 0.1f})
    for (const float x : {-0.1f, -0.05f, 0.05f, 0.1f})
      roof.rest_positions.emplace_back(x, y, std::abs(x) > 0.06f ? height - 0.05f : height);
  for (const int i : {0, 1, 2})
    roof.triangles.insert(roof.triangles.end(), {{i, i + 1, i + 5}, {i, i + 5, i + 4}});
  roof.face_material.assign(roof.triangles.size(), 0);
  SnapshotObjectFrame frame;
  frame.positions = roof.rest_positions;
  drape.model.objects.push_back(std::move(roof));
  drape.snapshot.objects.push_back(std::move(frame));
}

TEST(PictureStage, RoundingDoesNotLeadThroughOtherCloth) {
  constexpr float kSheet = 1.0004f, kRoof = 1;
  Drape drape = test::flat_cloth(0.3f, kSheet, Vec3f::Ones());
  add_roof(drape, kRoof);
  const Surface alone = cloth_surface(drape.model.objects[1], drape.snapshot.objects[1], ColourField::fabric);
  ASSERT_GT(bounds_of(alone).max().z(), kSheet + 0.001f);  // with nothing above it is rounded farther
  const PictureStage stage(drape.model, drape.snapshot, ColourField::fabric, std::nullopt);
  for (int i = 0; i <= 40; ++i) {
    const float x = -0.04f + 0.002f * static_cast<float>(i);
    Hit above, below;
    ASSERT_TRUE(stage.intersect({Vec3f(x, 0.013f, 2), -Vec3f::UnitZ()}, above));
    ASSERT_TRUE(stage.intersect({Vec3f(x, 0.013f, 0.5f), Vec3f::UnitZ()}, below));
    EXPECT_NEAR(above.position.z(), kSheet, 1e-6f);
    EXPECT_LT(below.position.z(), kSheet - 0.0001f);
    EXPECT_GE(below.position.z(), kRoof - 1e-6f);
  }
}

TEST(Surface, RefinementFollowsTheCurvature) {
  const Drape drape = test::sample_drape(20);
  const Surface surface =
      cloth_surface(drape.model.objects[0], drape.snapshot.objects[0], ColourField::fabric);
  EXPECT_EQ(surface.triangles.size(), 16 * drape.model.objects[0].triangles.size());
  double worst = 0;
  for (size_t i = 0; i < surface.positions.size(); ++i) {
    if (surface.uv[i].norm() > 0.12f) continue;
    worst = std::max(worst, std::abs((surface.positions[i] - Vec3f(0, 0, 0.55f)).norm() - 0.204));
  }
  // A chord of 5 cm (7 cm along the diagonals) on this ball would be off by 1.5 mm (3 mm).
  EXPECT_LT(worst, 3e-4);
}

}  // namespace
}  // namespace heddle
