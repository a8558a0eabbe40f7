// Where a painted picture lies on the cloth.

#include <heddle/io/image.h>
#include <heddle/scene/load.h>
#include <heddle/sim/prepared_cloth.h>
#include <heddle/sim/registry.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace heddle::test {

namespace {

namespace fs = std::filesystem;

class Painting : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(HEDDLE_BINARY_DIR) /
              (std::string("painting_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    Image ramp{.width = 256, .height = 1, .rgb = {}};  // dark at the left, bright at the right
    for (int i = 0; i < 256; ++i) ramp.rgb.insert(ramp.rgb.end(), 3, static_cast<std::uint8_t>(i));
    ASSERT_TRUE(write_png(folder_ / "ramp.png", ramp));
    fs::copy_file(fs::path(HEDDLE_SOURCE_DIR) / "tests/sim/sleeve.obj", folder_ / "sleeve.obj",
                  fs::copy_options::overwrite_existing);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Two triangles from `low` to `high` in u, 1 m wide.
  void write_sheet(double low, double high) const {
    std::ofstream(folder_ / "sheet.obj")
        << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt " << low << " 0\nvt " << high << " 0\nvt " << high
        << " 1\nvt " << low << " 1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";
  }

  PreparedCloth prepare(const std::string& mesh, const std::string& cloth, const std::string& paint) const {
    const Catalogue catalogue = make_catalogue();
    const std::string text = R"({"cloths": [{"mesh": )" + mesh + cloth +
                             R"(, "paint": [{"parameter": "friction", "texture": "ramp.png")" + paint +
                             "}]}]}";
    const Result<LoadedScene> scene = load_scene_text(text, folder_ / "scene.json", catalogue);
    Diagnostics found;
    if (!scene) throw std::runtime_error(scene.errors().text());
    const FabricLibrary fabrics(scene->description, catalogue, found);
    auto prepared = prepare_cloth(scene->description.cloths[0], fabrics, catalogue, 0, found);
    if (!prepared) throw std::runtime_error(found.text());
    return std::move(*prepared);
  }

  double mean_of_sheet(const std::string& cloth, const std::string& paint) const {
    const PreparedCloth sheet = prepare(R"({"type": "file", "path": "sheet.obj"})", cloth, paint);
    return 0.5 * (sheet.fabric(0).friction + sheet.fabric(1).friction);
  }

  fs::path folder_;
};

}  // namespace

TEST_F(Painting, IsTheSameOnBothSidesOfASeam) {
  const PreparedCloth sleeve = prepare(R"({"type": "file", "path": "sleeve.obj"})", R"(, "rest": "uv")", "");
  double width = 0, brightest = 0, darkest = 1;
  for (const auto& corners : sleeve.mesh.corner_uv)
    for (const Vec2& uv : corners) width = std::max(width, uv.x());
  for (int face = 0; face < sleeve.mesh.triangle_count(); ++face) {
    const std::array<Vec2, 3> uv = sleeve.mesh.face_uv(face);
    const double painted = sleeve.fabric(face).friction;
    EXPECT_NEAR(painted, (uv[0].x() + uv[1].x() + uv[2].x()) / (3 * width), 0.005) << face;
    brightest = std::max(brightest, painted);
    darkest = std::min(darkest, painted);
  }
  EXPECT_GT(brightest, 0.93);
  EXPECT_LT(darkest, 0.07);
}

TEST_F(Painting, DoesNotJumpWhereCoordinatesLeaveTheUnitSquare) {
  for (const char* cloth : {"", R"(, "rest": "uv")"})
    for (const char* fit : {"", R"(, "fit": "uv")", R"(, "fit": "box")"}) {
      write_sheet(0, 0.5);
      const double before = mean_of_sheet(cloth, fit);
      write_sheet(-1e-6, 0.499999);
      EXPECT_NEAR(mean_of_sheet(cloth, fit), before, 1e-4) << cloth << fit;
    }
}

TEST_F(Painting, FitsAsTheSceneSays) {
  write_sheet(0, 0.5);
  EXPECT_NEAR(mean_of_sheet("", R"(, "fit": "uv")"), 0.25, 0.01);
  EXPECT_NEAR(mean_of_sheet("", R"(, "fit": "box")"), 0.5, 0.01);
  // In metres by the word of the scene, else as drawing programs have it.
  EXPECT_NEAR(mean_of_sheet("", ""), 0.25, 0.01);
  EXPECT_NEAR(mean_of_sheet(R"(, "rest": "uv")", ""), 0.5, 0.01);
  // The scale of the cloth does not move the picture.
  EXPECT_NEAR(mean_of_sheet(R"(, "scale": 0.01)", ""), 0.25, 0.01);
  EXPECT_NEAR(mean_of_sheet(R"(, "scale": 0.01, "rest": "uv")", ""), 0.5, 0.01);
}

TEST_F(Painting, CoversGeneratedMeshesOnce) {
  const PreparedCloth grid =
      prepare(R"({"type": "grid", "size": [0.4, 0.2], "resolution": [33, 5]})", "", "");
  double low = 1, high = 0;
  for (int face = 0; face < grid.mesh.triangle_count(); ++face) {
    low = std::min(low, grid.fabric(face).friction);
    high = std::max(high, grid.fabric(face).friction);
  }
  EXPECT_LT(low, 0.03);
  EXPECT_GT(high, 0.97);
}

}  // namespace heddle::test
