// Every mistake of a scene is told at once, and only once.

#include <heddle/sim/build.h>

#include <gtest/gtest.h>

namespace heddle::test {

namespace {

std::string errors_of(const std::string& text) {
  const Result<Simulation> built = build_text(text, "a.json");
  return built ? "" : built.errors().text();
}

size_t count_of(const std::string& part, const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_EQ(count_of(part, text), 1u) << part << " in\n" << text;
  EXPECT_EQ(count_of(": error:", text), parts.size()) << text;
}

}  // namespace

TEST(BuildErrors, EveryEmptySelectionOfEveryCloth) {
  const std::string text = errors_of(R"({"cloths": [
    {"mesh": {"type": "grid", "resolution": [9, 9]},
     "pins": [{"vertices": {"box": [[5, 5, 5], [6, 6, 6]]}}, {"vertices": {"box": [[7, 7, 7], [8, 8, 8]]}}],
     "regions": [{"faces": {"box": [[5, 5, 5], [6, 6, 6]]}, "fabric": "silk"}]},
    {"mesh": {"type": "grid", "resolution": [9, 9]}, "translation": [0, 0, 1],
     "pins": [{"vertices": {"uv_box": [[5, 5], [6, 6]]}}]}]})");
  EXPECT_EQ(count_of("the selection holds no vertex", text), 3u) << text;
  EXPECT_EQ(count_of("the selection holds no face", text), 1u) << text;
}

TEST(BuildErrors, EveryFaultOfEveryPaint) {
  expect_parts(errors_of(R"({"cloths": [{"mesh": {"type": "grid"}, "paint": [
    {"parameter": "densty", "texture": "nope.png"},
    {"parameter": "density", "attribute": "foo"},
    {"parameter": "density"},
    {"parameter": "colour", "texture": "neither.png"}]}]})"),
               {"fabrics have no number \"densty\"", "nope.png", "no vertex attribute \"foo\"",
                "paint needs either", "fabrics have no number \"colour\"", "neither.png"});
}

TEST(BuildErrors, GoodPartsOfListsAreLookedAtBesideBadOnes) {
  expect_parts(errors_of(R"({"cloths": [{"mesh": {"type": "grid"},
    "pins": [{"vertices": {"indices": [99999999]}}, {"vertices": {"group": "nope"}},
             {"vertices": {"box": [[0, 0, 0]]}}, {"vertices": {}}],
    "regions": [{"faces": {"all": true}, "fabric": "cottn"}]}],
    "obstacles": [{}]})"),
               {"there is no vertex 99999999", "the mesh has no group \"nope\"", "needs two corners",
                "chooses nothing", "unknown fabric \"cottn\"", "an obstacle needs either"});
}

TEST(BuildErrors, SpringsOnOtherMeshesThanGrids) {
  expect_parts(errors_of(R"({"cloths": [
    {"name": "a", "mesh": {"type": "irregular"}, "membrane": {"type": "choi_ko"}},
    {"name": "b", "mesh": {"type": "grid", "diagonals": "cross"}, "membrane": {"type": "provot"},
     "bending": {"type": "buckling"}},
    {"name": "c", "mesh": {"type": "grid"}, "weft_angle": 30, "bending": {"type": "flexion"}}]})"),
               {"\"choi_ko\" needs a regular grid, which the mesh of cloth \"a\" is not",
                "\"provot\" needs a regular grid", "\"buckling\" needs a regular grid",
                "the springs of \"flexion\" follow the grid of cloth \"c\""});
  EXPECT_EQ(errors_of(R"({"cloths": [{"mesh": {"type": "ribbon"}, "membrane": {"type": "choi_ko"}}]})"), "");
}

TEST(BuildErrors, PairsOfMaterials) {
  expect_parts(errors_of(R"({"cloths": [{"mesh": {"type": "grid"}}],
    "obstacles": [{"name": "ball", "shape": {"type": "sphere"}}, {"name": "floor", "shape": {"type": "plane"}}],
    "frictions": [{"between": ["cotton", "bal"]}, {"between": ["ball", "floor"]}, {"between": ["cotton"]},
                  {"friction": 0.3}, {"between": ["cotton", "ball"], "stiction": 0.5}]})"),
               {"no fabric or obstacle \"bal\"; did you mean \"ball\"?", "no friction with each other",
                "has 1 names", "friction needs \"between\"", "0.5 is out of range"});
}

TEST(BuildErrors, PairsOfMaterialsGivenTwice) {
  expect_parts(errors_of(R"({"cloths": [{"mesh": {"type": "grid"}}],
    "frictions": [{"between": ["cotton", "silk"]}, {"between": ["silk", "wool"]}, {"between": ["silk", "cotton"]}]})"),
               {"the friction between \"silk\" and \"cotton\" was given before; keep one of them"});
}

TEST(BuildErrors, PairsOfMaterialsInAGoodScene) {
  expect_parts(errors_of(R"({"cloths": [{"mesh": {"type": "grid"}}],
    "frictions": [{"between": ["cotton", "nothing"]}]})"),
               {"no fabric or obstacle \"nothing\""});
}

TEST(BuildErrors, PaintsAndFabricsWithoutAMesh) {
  expect_parts(errors_of(R"({"cloths": [
    {"mesh": {"type": "file", "path": "nowhere.obj"}, "fabric": "cottn",
     "paint": [{"parameter": "densty", "texture": "nope.png"}]},
    {"mesh": {"type": "grid"}, "rest": "shape", "pins": [{"vertices": {"group": "hem"}}]}]})"),
               {"nowhere.obj", "unknown fabric \"cottn\"", "\"densty\"", "nope.png", "no group \"hem\""});
}

TEST(BuildErrors, NumbersBeyondTheComputersOwnDoNotHideOthers) {
  expect_parts(errors_of(R"({"cloths": [{"mesh": {"type": "grid"}, "translation": [0, 0, 1e400],
    "fabric": 5, "pins": {"vertices": "all"},
    "paint": [{"parameter": "density", "attribute": "a", "range": [0, -1e999]}]}]})"),
               {"a number above 1e+308 is out of range; expected from -10000 to 10000 m",
                "expected a string, found a number", "expected a list of pin objects",
                "a number below -1e+308 is out of range; expected from -1e+308 to 1e+308"});
  EXPECT_EQ(errors_of(R"({"cloths": [{"mesh": {"type": "grid"}, "velocity": [0, 0, 1e-400]}]})"), "");
}

TEST(BuildErrors, BoxesOfAMisplacedClothAreNotEmptied) {
  expect_parts(errors_of(R"({"cloths": [{"mesh": {"type": "grid"}, "translation": [0, 0, "up"],
    "pins": [{"vertices": {"box": [[-1, -1, 99], [1, 1, 101]]}}, {"vertices": {"group": "hem"}}],
    "attachments": [{"vertices": {"group": "belt"}, "obstacle": "hips"}]}],
    "obstacles": [{"name": "hips", "shape": {"type": "sphere"}}]})"),
               {"expected a number, found a string", "no group \"hem\"", "no group \"belt\""});
}

TEST(BuildErrors, AFabricWithWrongValuesIsNotUnknown) {
  expect_parts(errors_of(R"({"fabrics": {"f": {"base": "cotton", "density": 0, "weft_stiffness": -5,
    "colour": [2, 0, 0]}, "g": 3, "h": {"base": "coton", "density": 30}}, "cloths": [
    {"mesh": {"type": "grid"}, "fabric": "f", "regions": [{"faces": {"all": true}, "fabric": "g"}]},
    {"mesh": {"type": "grid"}, "translation": [0, 0, 1], "fabric": "h"}]})"),
               {"error: 0 kg/m2", "-5 N/m", "error: 2 is out of range", "expected a fabric object",
                "unknown fabric preset \"coton\"", "error: 30 kg/m2"});
}

}  // namespace heddle::test
