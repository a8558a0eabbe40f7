#include "sample_drape.h"

#include <heddle/render/field_lines.h>
#include <heddle/render/field_plane.h>
#include <heddle/render/load_arrows.h>
#include <heddle/render/picture.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {
namespace {

using test::Drape;

constexpr float kRadius = 0.05f;  // m

/// A ball that is one dipole along z.
Drape magnetic_ball(const Vec3f& moment = {0, 0, 100}) {
  Drape scene;
  test::add_ball(scene, Vec3f::Zero(), kRadius);
  scene.snapshot.magnets = {{.object = 0,
                             .permanent = true,
                             .nearest = 0.01f,
                             .places = {Vec3f::Zero()},
                             .moments = {moment},
                             .load = {.force = Vec3(2, 0, 0), .torque = Vec3(0, 0.5, 0)}}};
  return scene;
}

SnapshotCoil ring(double radius, double current) {
  constexpr int kSides = 64;
  SnapshotCoil coil{.points = {}, .current = current};
  for (int k = 0; k < kSides; ++k) {
    const double angle = 2 * M_PI * k / kSides;
    coil.points.push_back(Vec3(radius * std::cos(angle), radius * std::sin(angle), 0).cast<float>());
  }
  return coil;
}

TEST(MagneticFieldOfFrames, IsThatOfCellsAndCoils) {
  Drape scene = magnetic_ball();
  const Vec3 place(0.1, -0.2, 0.15);
  const Vec3 expected = dipole_field(place, {0, 0, 100});
  EXPECT_LT((MagneticField(scene.snapshot).at(place) - expected).norm(), 1e-12 * expected.norm());
  scene.snapshot.magnets.clear();
  scene.snapshot.coils = {ring(0.1, 500)};
  // On the axis of a circle: mu0 I a^2 / 2 (a^2 + z^2)^(3/2).
  const double axis = kVacuumPermeability * 500 * 0.01 / (2 * std::pow(0.01 + 0.04, 1.5));
  const Vec3 found = MagneticField(scene.snapshot).at({0, 0, 0.2});
  EXPECT_NEAR(found.z(), axis, 0.003 * axis);
  EXPECT_NEAR(found.head<2>().norm(), 0, 1e-6 * axis);
}

TEST(FieldLines, OfADipoleKeepTheirSquareOfTheSine) {
  const Drape scene = magnetic_ball();
  const MagneticField field(scene.snapshot);
  const Bounds region(Vec3f(-0.4f, -0.4f, -0.4f), Vec3f(0.4f, 0.4f, 0.4f));
  const auto lines = field_lines(scene.model, scene.snapshot, field, region, 30);
  EXPECT_GE(lines.size(), 30u);
  EXPECT_LE(lines.size(), 60u);
  for (const FieldLine& line : lines) {
    // r / sin^2 of the angle from the axis is the same all along.
    const auto invariant = [](const Vec3& p) { return std::pow(p.norm(), 3) / p.head<2>().squaredNorm(); };
    for (const Vec3& point : line.points)
      EXPECT_NEAR(invariant(point) / invariant(line.points.front()), 1, 0.01);
    EXPECT_TRUE(std::all_of(line.points.begin(), line.points.end(),
                            [&](const Vec3& p) { return p.norm() > 0.98 * kRadius; }));
    for (size_t i = 0; i < line.points.size(); ++i)
      EXPECT_NEAR(line.flux[i], dipole_field(line.points[i], {0, 0, 100}).norm(), 1e-12);
  }
}

TEST(FieldLines, EachStandsForTheSameFlux) {
  const Drape scene = magnetic_ball();
  const MagneticField field(scene.snapshot);
  // Small, because lines that are short beside it are left out.
  const Bounds region(Vec3f(-0.2f, -0.2f, -0.2f), Vec3f(0.2f, 0.2f, 0.2f));
  const auto lines = field_lines(scene.model, scene.snapshot, field, region, 400);
  // Of the flux through the upper half of a ball, the share sin^2 is within an angle from the pole.
  int upper = 0, near = 0;
  for (const FieldLine& line : lines) {
    if (line.points.front().z() < 0) continue;
    ++upper;
    if (line.points.front().head<2>().norm() < line.points.front().norm() * std::sqrt(0.5)) ++near;
  }
  ASSERT_GT(upper, 200);
  EXPECT_NEAR(static_cast<double>(near) / upper, 0.5, 0.07);
}

TEST(FieldLines, RunThroughCoils) {
  Drape scene;
  scene.snapshot.coils = {ring(0.1, 500)};
  const Bounds region(Vec3f(-0.5f, -0.5f, -0.5f), Vec3f(0.5f, 0.5f, 0.5f));
  const auto lines = field_lines(scene.model, scene.snapshot, MagneticField(scene.snapshot), region, 10);
  ASSERT_FALSE(lines.empty());
  for (const FieldLine& line : lines) {
    const auto above = [](const Vec3& p) { return p.z() > 1e-6; };
    EXPECT_TRUE(std::any_of(line.points.begin(), line.points.end(), above));
    EXPECT_FALSE(std::all_of(line.points.begin(), line.points.end(), above));
  }
}

TEST(InsideTest, KnowsABall) {
  const Drape scene = magnetic_ball();
  const InsideTest inside(scene.model.objects[0], scene.snapshot.objects[0]);
  for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(0, 0, -1), Vec3(0.6, -0.8, 0), Vec3(0.48, 0.6, 0.64)}) {
    EXPECT_TRUE(inside(0.98 * kRadius * direction));
    EXPECT_FALSE(inside(1.01 * kRadius * direction));
  }
}

TEST(FieldPlane, IsReadAndChosen) {
  const auto plane = FieldPlane::from_text("z=-0.25");
  ASSERT_TRUE(plane);
  EXPECT_EQ(plane->axis, 2);
  EXPECT_FLOAT_EQ(plane->place, -0.25f);
  for (const char* text : {"", "w=1", "y=", "y=1m", "y=nan", "0.1"})
    EXPECT_FALSE(FieldPlane::from_text(text)) << text;
  EXPECT_EQ(usual_plane(magnetic_ball().snapshot, {0.2, 1, -0.3}).axis, 1);
  EXPECT_EQ(usual_plane(magnetic_ball().snapshot, {-1, 0.2, -0.3}).axis, 0);
  EXPECT_EQ(usual_plane(magnetic_ball({100, 0, 0}).snapshot, {1, 0.2, -0.3}).axis, 2);
}

TEST(FieldSlice, IsColouredByTheField) {
  const Drape scene = magnetic_ball();
  const MagneticField field(scene.snapshot);
  const Bounds region(Vec3f(-0.3f, -0.3f, -0.3f), Vec3f(0.3f, 0.3f, 0.3f));
  const Surface slice = field_slice(field, region, {.axis = 1, .place = 0.02f}, 0.1);
  ASSERT_EQ(slice.face_colours.size(), slice.triangles.size());
  for (size_t face = 0; face < slice.triangles.size(); face += 997) {
    const Triangle& t = slice.triangles[face - face % 2];
    const Vec3f middle =
        0.5f * (slice.positions[static_cast<size_t>(t[0])] + slice.positions[static_cast<size_t>(t[2])]);
    EXPECT_NEAR(middle.y(), 0.02f, 1e-6);
    const Vec3f expected = flux_colour(field.at(middle.cast<double>()).norm(), 0.1);
    EXPECT_LT((slice.face_colours[face] - expected).norm(), 0.01);
  }
  EXPECT_GT(flux_colour(0.1, 0.1).sum(), flux_colour(0.01, 0.1).sum());
}

TEST(IronFilings, LieAlongTheFieldAndWhereItIsStrong) {
  const Drape scene = magnetic_ball();
  const MagneticField field(scene.snapshot);
  const Bounds region(Vec3f(-0.3f, -0.3f, -0.3f), Vec3f(0.3f, 0.3f, 0.3f));
  const auto surfaces = iron_filings(field, region, {.axis = 1, .place = 0}, {0, -2, 0});
  ASSERT_EQ(surfaces.size(), 2u);
  const auto& points = surfaces[1].positions;
  constexpr size_t kPoints = 18;  // of a needle: two rings and their middles
  ASSERT_EQ(points.size() % kPoints, 0u);
  int close = 0, far = 0;
  for (size_t i = 0; i < points.size(); i += kPoints) {
    const Vec3f from = points[i + 16], to = points[i + 17], middle = 0.5f * (from + to);
    EXPECT_LT(middle.y(), 0) << "on the side of the eye";
    Vec3 along = field.at(middle.cast<double>());
    along.y() = 0;
    const double cosine = along.normalized().dot((to - from).normalized().cast<double>());
    if (middle.norm() > kRadius) EXPECT_GT(cosine, std::cos(0.13));
    (middle.norm() < 0.15f ? close : far) += 1;
  }
  const double circle = M_PI * 0.15 * 0.15, rest = 0.6 * 0.6 - circle;
  EXPECT_GT(close / circle, 2 * far / rest);
}

TEST(LoadArrows, PointAlongForcesFromWhereTheyLeave) {
  const Drape scene = magnetic_ball();
  const LoadArrows arrows = load_arrows(scene.model, scene.snapshot);
  float farthest = 0, nearest = 1;
  int beside = 0;
  for (size_t face = 0; face < arrows.surface.triangles.size(); ++face) {
    const bool is_force = arrows.surface.face_colours[face].x() > arrows.surface.face_colours[face].z();
    for (const int vertex : arrows.surface.triangles[face]) {
      const Vec3f& p = arrows.surface.positions[static_cast<size_t>(vertex)];
      if (is_force) {
        farthest = std::max(farthest, p.x());
        nearest = std::min(nearest, p.x());
      } else {
        beside += std::hypot(p.x(), p.z()) < kRadius ? 1 : 0;  // about the y axis, around the ball
      }
    }
  }
  EXPECT_NEAR(nearest, kRadius, 1e-3);
  EXPECT_NEAR(farthest, kRadius + 0.35f * 2 * std::sqrt(3.0f) * kRadius, 1e-3);
  EXPECT_EQ(beside, 0);
  EXPECT_EQ(arrows.legend.size(), 2u);
  EXPECT_NE(arrows.legend[0].text.find("2 N"), std::string::npos);
}

PictureOptions small() {
  PictureOptions options;
  options.width = 96;
  options.height = 64;
  options.samples = 2;
  return options;
}

TEST(MagnetPicture, ShowsWhatIsAskedFor) {
  const Drape scene = magnetic_ball();
  const auto render = [&](const MagnetPictureOptions& magnets) {
    PictureOptions options = small();
    options.camera = Camera{.position = {0.4, -0.9, 0.5}, .target = {0, 0, 0}};
    options.ground_height = -0.3;
    options.magnets = magnets;
    const Result<Image> image = render_picture(scene.model, scene.snapshot, options);
    EXPECT_TRUE(image) << image.errors().text();
    return image ? image->rgb : std::vector<std::uint8_t>();
  };
  std::vector<std::vector<std::uint8_t>> pictures{render({})};
  for (const MagnetPictureOptions& magnets : {MagnetPictureOptions{.field = {"lines"}},
                                              {.field = {"slice"}},
                                              {.field = {"filings"}},
                                              {.forces = true},
                                              {.field = {"slice"}, .plane = "z=0.1"},
                                              {.field = {"slice"}, .field_range = 5}})
    pictures.push_back(render(magnets));
  for (size_t i = 0; i < pictures.size(); ++i)
    for (size_t k = 0; k < i; ++k) EXPECT_NE(pictures[i], pictures[k]) << i << ", " << k;
  EXPECT_EQ(render({.field = {"lines"}}), pictures[1]);
}

TEST(MagnetPicture, RefusesWhatItCannotShow) {
  const Drape plain = test::sample_drape(4);
  PictureOptions options = small();
  options.magnets.forces = true;
  const Result<Image> none = render_picture(plain.model, plain.snapshot, options);
  ASSERT_FALSE(none);
  EXPECT_NE(none.errors().text().find("nothing magnetic"), std::string::npos);
  options.magnets = {.field = {"line"}, .lines = 0, .plane = "up", .field_range = 0};
  const std::string text = check(options).text();
  for (const char* word : {"'line'", "lines, slice, filings", "lines is 0", "'up'", "y=0.01", "field_range"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in " << text;
}

}  // namespace
}  // namespace heddle
