#include "sample_drape.h"

#include <heddle/render/colour_field.h>
#include <heddle/render/picture.h>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

namespace heddle {
namespace {

using test::Drape;

PictureOptions small() {
  PictureOptions options;
  options.width = 96;
  options.height = 64;
  options.samples = 8;
  return options;
}

Vec3f mean(const Image& image, int x0, int y0, int x1, int y1) {
  Vec3f sum = Vec3f::Zero();
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x)
      for (int channel = 0; channel < 3; ++channel)
        sum[channel] += image.rgb[static_cast<size_t>(3 * (y * image.width + x) + channel)];
  return sum / static_cast<float>((x1 - x0) * (y1 - y0));
}

std::string complaint(const SnapshotModel& model, const Snapshot& snapshot, const PictureOptions& options) {
  const Result<Image> image = render_picture(model, snapshot, options);
  return image ? "" : image.errors().text();
}

TEST(Picture, IsTheSameForAnyNumberOfThreads) {
  const Drape drape = test::sample_drape(24);
  const auto render = [&](size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return render_picture(drape.model, drape.snapshot, small()).value().rgb;
  };
  const auto one = render(1);
  EXPECT_EQ(one, render(2));
  EXPECT_EQ(one, render(3));
}

/// A sheet from above whose left half is implicit and whose right half is explicit, or in two components.
Drape halved_sheet() {
  Drape drape = test::flat_cloth(1, 0.5f, Vec3f(0.8f, 0.8f, 0.8f));
  SnapshotObject& cloth = drape.model.objects[0];
  SnapshotObjectFrame& frame = drape.snapshot.objects[0];
  SnapshotElements faces{.term = "membrane", .shape = SnapshotElements::Shape::face, .corners = {}};
  for (const Triangle& t : cloth.triangles) {
    faces.corners.insert(faces.corners.end(), {t[1], t[2], t[0]});
    float x = 0;
    for (const int vertex : t) x += cloth.rest_positions[static_cast<size_t>(vertex)].x();
    frame.treatments.push_back(x < 0 ? SnapshotTreatment::implicitly : SnapshotTreatment::explicitly);
  }
  cloth.elements = {faces};
  return drape;
}

PictureOptions from_above(const std::string& colour) {
  PictureOptions options = small();
  options.colour = colour;
  options.camera = Camera{.position = Vec3(0, -0.01, 2.5), .target = Vec3(0, 0, 0.5)};
  return options;
}

TEST(Picture, ColoursElementsByTheirTreatment) {
  const Drape drape = halved_sheet();
  const Image image = render_picture(drape.model, drape.snapshot, from_above("treatment")).value();
  // The diagonal of the square leaves more of one half on each side.
  const Vec3f left = mean(image, 34, 28, 40, 36), right = mean(image, 56, 28, 62, 36);
  EXPECT_GT(left.x(), 1.5f * left.z());
  EXPECT_GT(right.z(), 1.5f * right.x());
}

TEST(Picture, DrawsElementsThatAreLines) {
  Drape drape = test::flat_cloth(1, 0.5f, Vec3f(0.8f, 0.8f, 0.8f));
  const auto render = [&] {
    return render_picture(drape.model, drape.snapshot, from_above("treatment")).value().rgb;
  };
  const auto plain = render();
  drape.model.objects[0].elements = {{"springs", SnapshotElements::Shape::line, {0, 3}}};
  drape.snapshot.objects[0].treatments = {SnapshotTreatment::explicitly};
  EXPECT_NE(render(), plain);
}

TEST(Picture, ColoursComponents) {
  Drape drape = test::flat_cloth(1, 0.5f, Vec3f(0.8f, 0.8f, 0.8f));
  const auto middle = [&] {
    return mean(render_picture(drape.model, drape.snapshot, from_above("components")).value(), 44, 28, 52,
                36);
  };
  drape.snapshot.objects[0].components = {0, 0, -1, 0};
  const Vec3f one = middle();
  EXPECT_GT(one.z(), 1.3f * one.x());
  drape.snapshot.objects[0].components = {0, 1, 2, 3};
  const Vec3f between = middle();
  EXPECT_LT(between.maxCoeff() - between.minCoeff(), 15);
}

TEST(Picture, RefusesTreatmentsOfOtherElements) {
  Drape drape = halved_sheet();
  drape.snapshot.objects[0].treatments.pop_back();
  EXPECT_NE(complaint(drape.model, drape.snapshot, small()).find("elements or components"),
            std::string::npos);
}

TEST(Picture, ShowsRedClothInAGreyStudio) {
  Drape drape = test::sample_drape(32);
  drape.model.materials[0].front_colour = Vec3f(0.6f, 0.05f, 0.05f);
  const Image image = render_picture(drape.model, drape.snapshot, small()).value();
  ASSERT_EQ(image.rgb.size(), 3u * 96 * 64);
  const Vec3f cloth = mean(image, 44, 22, 52, 30);
  EXPECT_GT(cloth.x(), 90);
  EXPECT_GT(cloth.x(), 2 * cloth.y());
  const Vec3f studio = mean(image, 0, 0, 20, 10);
  EXPECT_GT(studio.minCoeff(), 110);
  EXPECT_LT(studio.maxCoeff(), 235);
  EXPECT_LT(studio.maxCoeff() - studio.minCoeff(), 15);
}

TEST(Picture, BacksHaveTheirOwnColour) {
  Drape drape = test::flat_cloth(1, 1, Vec3f::Ones());
  drape.model.materials[0].front_colour = Vec3f(0.6f, 0.05f, 0.05f);
  drape.model.materials[0].back_colour = Vec3f(0.05f, 0.05f, 0.6f);
  PictureOptions options = small();
  options.ground_height = 0;
  options.camera = Camera{.position = {0, -3, 2.5}, .target = {0, 0, 1}};
  const Vec3f front = mean(render_picture(drape.model, drape.snapshot, options).value(), 46, 31, 50, 33);
  options.camera = Camera{.position = {0, -3, 0.2}, .target = {0, 0, 1}};
  const Vec3f back = mean(render_picture(drape.model, drape.snapshot, options).value(), 46, 31, 50, 33);
  EXPECT_GT(front.x(), 1.5f * front.z());
  EXPECT_GT(back.z(), 1.3f * back.x());
}

TEST(Picture, ShowsAFieldWithItsLegend) {
  const Drape drape = test::sample_drape(24);
  PictureOptions options = small();
  options.width = 320;
  options.height = 200;
  options.samples = 2;
  const Image plain = render_picture(drape.model, drape.snapshot, options).value();
  for (const char* field : {"strain_weft", "strain_warp", "strain_shear", "speed", "contact"}) {
    options.colour = field;
    const Image image = render_picture(drape.model, drape.snapshot, options).value();
    EXPECT_GT((mean(image, 200, 165, 310, 190) - mean(plain, 200, 165, 310, 190)).norm(), 10) << field;
    EXPECT_GT((mean(image, 140, 60, 180, 100) - mean(plain, 140, 60, 180, 100)).norm(), 10) << field;
  }
}

TEST(Picture, ReportsAllBadOptions) {
  const Drape drape = test::sample_drape(4);
  PictureOptions options = small();
  options.width = 0;
  options.samples = -1;
  options.exposure = 0;
  options.colour = "velocity";
  options.colour_range = 0;
  options.camera = Camera{.position = {1, 1, 1}, .target = {1, 1, 1}, .field_of_view = 190};
  const std::string text = complaint(drape.model, drape.snapshot, options);
  for (const char* word : {"width", "samples", "exposure", "velocity", "strain_weft", "colour_range",
                           "field_of_view", "coincide"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in " << text;
}

TEST(Picture, RejectsFramesThatDoNotFit) {
  Drape drape = test::sample_drape(4);
  drape.snapshot.objects[0].positions[3].x() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(complaint(drape.model, drape.snapshot, small()).find("not numbers"), std::string::npos);
  drape.snapshot.objects[0].positions.pop_back();
  EXPECT_NE(complaint(drape.model, drape.snapshot, small()).find("24 positions"), std::string::npos);
  drape.snapshot.objects.pop_back();
  EXPECT_NE(complaint(drape.model, drape.snapshot, small()).find("objects"), std::string::npos);
  drape = test::sample_drape(4);
  drape.model.objects[0].triangles[0][1] = 25;
  EXPECT_NE(complaint(drape.model, drape.snapshot, small()).find("vertex 25"), std::string::npos);
  drape = test::sample_drape(4);
  drape.model.objects[0].face_material[0] = 7;
  EXPECT_NE(complaint(drape.model, drape.snapshot, small()).find("material"), std::string::npos);
  drape = test::sample_drape(4);
  drape.model.materials[0].pattern = "tartan";
  EXPECT_NE(complaint(drape.model, drape.snapshot, small()).find("checker"), std::string::npos);
}

TEST(Picture, DrawsAnEmptyScene) {
  EXPECT_TRUE(render_picture({}, {}, small()).ok());
}

TEST(ColourField, EndsAreBlueAndRedAndZeroIsGrey) {
  const Vec3f low = field_colour(ColourField::strain_weft, -1, 1);
  const Vec3f zero = field_colour(ColourField::strain_weft, 0, 1);
  const Vec3f high = field_colour(ColourField::strain_weft, 5, 1);
  EXPECT_GT(low.z(), 3 * low.x());
  EXPECT_GT(high.x(), 3 * high.z());
  EXPECT_LT(zero.maxCoeff() - zero.minCoeff(), 0.05f);
  EXPECT_GT(zero.minCoeff(), 0.6f);
}

TEST(ColourField, RangeIsARoundNumber) {
  const Drape drape = test::sample_drape(24);
  EXPECT_DOUBLE_EQ(typical_range(ColourField::strain_weft, drape.model, drape.snapshot), 0.02);
  EXPECT_DOUBLE_EQ(typical_range(ColourField::speed, drape.model, drape.snapshot), 0.5);
  EXPECT_DOUBLE_EQ(typical_range(ColourField::contact, drape.model, drape.snapshot), 0.001);
}

TEST(ColourField, WhereNothingPressesIsGrey) {
  const Vec3f zero = field_colour(ColourField::contact, 0, 1),
              high = field_colour(ColourField::contact, 1, 1);
  EXPECT_LT(zero.maxCoeff() - zero.minCoeff(), 0.05f);
  EXPECT_GT(high.x(), 3 * high.y());
  const Vec3f low = field_colour(ColourField::contact, 0.2f, 1);
  EXPECT_GT(low.maxCoeff() - low.minCoeff(), 0.3f) << "light contacts stand out";
}

}  // namespace
}  // namespace heddle
