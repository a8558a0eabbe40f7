#include "toy_types.h"

#include <heddle/scene/schema.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

std::string with_cloth(const std::string& rest) {
  return R"({"cloths": [{"mesh": {"type": "grid"}}], )" + rest + "}";
}
std::string in_cloth(const std::string& rest) {
  return R"({"cloths": [{"mesh": {"type": "grid"}, )" + rest + "}]}";
}

const std::vector<std::string> kGood{
    with_cloth(R"("$schema": "x", "heddle": 1, "duration": 3.5, "gravity": [0, 0, -9.81])"),
    with_cloth(R"("forces": [{"type": "wind", "velocity": [1, 2, 3], "gusts": 1}])"),
    with_cloth(
        R"("forces": [{"type": "wind", "gusts": {"times": [0, 1], "values": [0, 1], "interpolation": "smooth"}}])"),
    with_cloth(
        R"("obstacles": [{"shape": {"type": "file", "file": "a.obj"}, "motion": {"rotation": [0, 0, 90]}}])"),
    with_cloth(R"("fabrics": {"x": {"base": "silk", "density": 0.1}})"),
    with_cloth(R"("output": {"formats": ["obj", "usd"], "checkpoint_every": 1})"),
    in_cloth(R"("rest": "uv", "pins": [{"vertices": {"indices": [0, 1], "box": [[0, 0, 0], [1, 1, 1]]}}])"),
    in_cloth(R"("regions": [{"faces": {"uv_box": [[0, 0], [1, 1]]}, "fabric": "silk"}])"),
    in_cloth(R"("bending": {"type": "hinge", "curved": true}, "weft_angle": 45)"),
    R"({"cloths": [{"mesh": "grid", "bending": "hinge"}]})",
};

const std::vector<std::string> kBad{
    R"({"cloths": [{}]})",
    R"({"cloths": [{"mesh": {"type": "gird"}}]})",
    R"({"cloths": [{"mesh": {"type": "grid", "resolutoin": 3}}]})",
    R"({"cloths": [{"mesh": {"type": "grid", "resolution": 2.5}}]})",
    R"({"cloths": [{"mesh": {"type": "grid", "resolution": 1001}}]})",
    R"({"cloths": [{"mesh": {"type": "file"}}]})",
    R"({"cloths": [{"mesh": "gird"}]})",
    R"({"cloths": [{"mesh": "file"}]})",
    with_cloth(R"("duration": 0)"),
    with_cloth(R"("gravity": [0, -9.81])"),
    with_cloth(R"("gravty": [0, 0, -9.81])"),
    with_cloth(R"("heddle": 0)"),
    with_cloth(R"("include": "b.json")"),
    with_cloth(R"("forces": [{"type": "wind", "gusts": 2}])"),
    with_cloth(R"("forces": [{"type": "wind", "gusts": {"times": [0], "values": [2]}}])"),
    with_cloth(R"("forces": [{"type": "wind", "gusts": {"times": [0]}}])"),
    with_cloth(R"("fabrics": {"x": {"densty": 0.1}})"),
    with_cloth(R"("output": {"formats": ["fbx"]})"),
    in_cloth(R"("rest": "round")"),
    in_cloth(R"("scale": 0)"),
    in_cloth(R"("pins": [{"vertices": {"indices": [-1]}}])"),
    in_cloth(R"("pins": [{"release": 1}])"),
    in_cloth(R"("membrane": {"type": "stvk"})"),
};

void write_lines(const fs::path& file, const std::vector<std::string>& lines) {
  std::ofstream out(file);
  for (const std::string& line : lines) out << line << "\n";
}

// An independent validator must agree with our own reader about every sample.
TEST(Schema, AgreesWithTheReader) {
  for (const std::string& text : kGood) EXPECT_EQ(messages_of(text), "") << text;
  for (const std::string& text : kBad) EXPECT_NE(messages_of(text), "") << text;

  const fs::path folder = fs::path(HEDDLE_BINARY_DIR) / "test_scenes" / "schema";
  fs::create_directories(folder);
  std::ofstream(folder / "schema.json") << json_schema(toy_catalogue());
  write_lines(folder / "good.txt", kGood);
  write_lines(folder / "bad.txt", kBad);
  const bool required = std::getenv("HEDDLE_REQUIRE_TOOLS") != nullptr;
  if (!required && std::system("/usr/bin/python3 -W ignore -c 'import jsonschema' 2>/dev/null") != 0)
    GTEST_SKIP() << "needs the package python3-jsonschema";
  const std::string command = "/usr/bin/python3 -W ignore \"" HEDDLE_SOURCE_DIR
                              "/tests/scene/validate.py\" \"" +
                              folder.string() + "\" > \"" + (folder / "report.txt").string() + "\" 2>&1";
  const int status = std::system(command.c_str());
  std::stringstream report;
  report << std::ifstream(folder / "report.txt").rdbuf();
  EXPECT_EQ(status, 0) << report.str();
}

}  // namespace
}  // namespace heddle::test
