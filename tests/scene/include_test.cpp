#include "toy_types.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

class Include : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(HEDDLE_BINARY_DIR) / "test_scenes" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "parts");
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  Result<LoadedScene> load(const std::string& name) {
    static const Catalogue catalogue = toy_catalogue();
    return load_scene(folder_ / name, catalogue);
  }
  /// Messages with the folder left out.
  std::string errors(const std::string& name) {
    const Result<LoadedScene> loaded = load(name);
    std::string text = loaded ? "" : loaded.errors().text();
    const std::string prefix = folder_.string() + "/";
    for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
      text.erase(at, prefix.size());
    return text;
  }

  fs::path folder_;
};

constexpr const char* kCloth = R"({"mesh": {"type": "grid"}})";

TEST_F(Include, MergesByTheRules) {
  write("a.json",
        std::string(R"({"include": ["parts/b.json"], "duration": 3, "fabrics": {"x": {"density": 1}},
    "cloths": [{"name": "second", "mesh": {"type": "grid"}}]})"));
  write(
      "parts/b.json",
      R"({"heddle": 1, "$schema": "s", "duration": 9, "frame_rate": 50, "fabrics": {"x": {"density": 2}, "y": {}},
    "cloths": [{"name": "first", "mesh": {"type": "file", "file": "m.obj"}}], "forces": [{"type": "wind"}]})");
  const Result<LoadedScene> loaded = load("a.json");
  ASSERT_TRUE(loaded) << loaded.errors().text();
  const SceneDescription& scene = loaded->description;
  EXPECT_EQ(scene.duration, 3);
  EXPECT_EQ(scene.frame_rate, 50);
  EXPECT_EQ(scene.fabrics.at("x").value.find("density")->number(), 1);
  EXPECT_EQ(scene.fabrics.size(), 2U);
  ASSERT_EQ(scene.cloths.size(), 2U);
  EXPECT_EQ(scene.cloths[0].name, "first");
  EXPECT_EQ(scene.cloths[1].name, "second");
  EXPECT_EQ(scene.forces.size(), 1U);
  EXPECT_EQ(loaded->files, (std::vector<fs::path>{folder_ / "a.json", folder_ / "parts/b.json"}));
  EXPECT_EQ(resolve_path("m.obj", scene.cloths[0].mesh.where), folder_ / "parts/m.obj");
}

TEST_F(Include, LaterIncludesWinAndRepeatedOnesCountOnce) {
  write("a.json", R"({"include": ["b.json", "c.json"]})");
  write("b.json", R"({"include": ["d.json"], "duration": 4})");
  write("c.json", R"({"include": ["parts/../d.json"], "title": "c"})");
  write("d.json", std::string(R"({"duration": 5, "title": "d", "cloths": [)") + kCloth + "]}");
  const Result<LoadedScene> loaded = load("a.json");
  ASSERT_TRUE(loaded) << loaded.errors().text();
  EXPECT_EQ(loaded->description.title, "c");
  EXPECT_EQ(loaded->description.duration, 4);
  EXPECT_EQ(loaded->description.cloths.size(), 1U);
  EXPECT_EQ(loaded->files.size(), 4U);
}

TEST_F(Include, ReportsMissingFilesAndFoldersWhereTheyAreNamed) {
  write("a.json",
        std::string("{\"include\": [\"nothing.json\",\n  \"parts\"], \"cloths\": [") + kCloth + "]}");
  EXPECT_EQ(errors("a.json"),
            "a.json:1:14: error: there is no file \"nothing.json\"; check the name and the folder\n"
            "a.json:2:3: error: \"parts\" is a folder; name a scene file\n");
}

TEST_F(Include, ReportsCycles) {
  write("a.json", std::string("{\"include\": [\"b.json\"], \"cloths\": [") + kCloth + "]}");
  write("b.json", "{\n\"include\": [\"./a.json\"]}");
  EXPECT_EQ(errors("a.json"),
            "b.json:2:13: error: \"./a.json\" includes itself, directly or through others; remove this "
            "include from "
            "\"b.json\"\n");
}

TEST_F(Include, ReportsErrorsOfAllFilesInOrder) {
  write("a.json", "{\"include\": [\"b.json\", \"c.json\"],\n\"cloths\": 3, \"durration\": 1}");
  write("b.json", "{\"heddle\": \"one\", \"include\": 7,\n\"cloths\": [{}]}");
  write("c.json", "{\"title\": \"x\"\n\"duration\": 1}");
  EXPECT_EQ(errors("a.json"),
            "a.json:2:11: error: expected a list, found a number\n"
            "a.json:2:14: error: unknown key \"durration\" in scene; did you mean \"duration\"?\n"
            "b.json:1:12: error: expected a whole number, found a string\n"
            "b.json:1:30: error: expected a list of file names, found a number\n"
            "b.json:2:12: error: cloth needs \"mesh\"; expected a mesh object with a \"type\": The triangles "
            "of the cloth.\n"
            "c.json:1:14: error: missing \",\" after the value of \"title\"\n");
}

TEST_F(Include, ReportsAMissingScene) {
  EXPECT_EQ(errors("none.json"), "error: there is no file \"none.json\"; check the name and the folder\n");
}

TEST_F(Include, LimitsTheDepth) {
  for (int i = 0; i < 20; ++i)
    write(std::to_string(i) + ".json", "{\"include\": [\"" + std::to_string(i + 1) + ".json\"]}");
  EXPECT_NE(errors("0.json").find("16.json:1:14: error: includes are nested deeper than 16 files"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::test
