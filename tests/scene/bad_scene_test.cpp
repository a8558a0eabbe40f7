#include "toy_types.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

struct BadScene {
  const char* text;
  const char* messages;  // without the file name; lines end with \n
};

class BadScenes : public testing::TestWithParam<BadScene> {};

std::string without_file(std::string text) {
  for (size_t at = text.find("a.json:"); at != std::string::npos; at = text.find("a.json:", at))
    text.erase(at, 7);
  return text;
}

TEST_P(BadScenes, AreReported) {
  EXPECT_EQ(without_file(messages_of(GetParam().text)), GetParam().messages);
}

// One line for every way a scene was seen to go wrong; `G` is the smallest good mesh.
#define G R"("mesh": {"type": "grid"})"

INSTANTIATE_TEST_SUITE_P(
    Structure, BadScenes,
    testing::Values(
        BadScene{"[]", "1:1: error: expected an object in { }, found an empty list\n"},
        BadScene{"{}",
                 "1:1: error: the scene has no cloth, no rod and no body; add one to the list \"cloths\", "
                 "\"rods\" or \"bodies\"\n"},
        BadScene{R"({"cloths": []})",
                 "1:12: error: the scene has no cloth, no rod and no body; add one to the list \"cloths\", "
                 "\"rods\" or \"bodies\"\n"},
        BadScene{R"({"cloth": [{}]})",
                 "1:2: error: unknown key \"cloth\" in scene; did you mean \"cloths\"?\n"},
        BadScene{R"({"heddle": 2, "cloths": 5})",
                 "1:12: error: this scene is written in version 2 of the scene language, this program reads "
                 "version 1; "
                 "use a newer Heddle\n"},
        BadScene{R"({"heddle": 0, "cloths": [{)" G "}]}",
                 "1:12: error: 0 is out of range; expected at least 1\n"},
        BadScene{R"({"$schema": 1, "cloths": [{)" G "}]}",
                 "1:13: error: expected a string, found a number\n"},
        BadScene{R"({"include": "b.json", "cloths": [{)" G "}]}",
                 "1:13: error: expected a list of file names, found a string\n"},
        BadScene{R"({"cloths": {}})", "1:12: error: expected a list of cloth objects, found an object\n"},
        BadScene{R"({"cloths": [3]})", "1:13: error: expected a cloth object, found a number\n"},
        BadScene{
            R"({"cloths": [{}]})",
            "1:13: error: cloth needs \"mesh\"; expected a mesh object with a \"type\": The triangles of the "
            "cloth.\n"},
        BadScene{R"({"cloths": [{"mesh": {"type": "gird"}}]})",
                 "1:31: error: unknown mesh \"gird\"; did you mean \"grid\"?\n"},
        BadScene{R"({"cloths": [{"mesh": {"resolution": 3}}]})",
                 "1:22: error: mesh needs a \"type\"; expected \"grid\" or \"file\"\n"},
        BadScene{R"({"cloths": [{"mesh": {"type": "grid", "resolutoin": 3}}]})",
                 "1:39: error: unknown key \"resolutoin\" in grid; did you mean \"resolution\"?\n"},
        BadScene{R"({"cloths": [{"mesh": {"type": "grid", "resolution": 2000, "size": [1, -1]}}]})",
                 "1:53: error: 2000 is out of range; expected at least 1 and at most 1000\n"
                 "1:71: error: -1 m is out of range; expected above 0 and at most 10000 m\n"},
        BadScene{R"({"cloths": [{"mesh": {"type": "file"}}]})",
                 "1:22: error: file needs \"file\"; expected a file name: The file.\n"},
        BadScene{R"({"cloths": [{"rest": "round", )" G "}]}",
                 "1:22: error: unknown word \"round\"; expected \"auto\", \"uv\", \"flat\" or \"shape\"\n"},
        BadScene{R"({"cloths": [{"translation": [0, 1], "scale": 0, )" G "}]}",
                 "1:29: error: expected a list of 3 numbers, found a list of 2\n"
                 "1:46: error: 0 is out of range; expected above 0 and at most 1e+06\n"},
        BadScene{R"({"cloths": [{"membrane": {"type": "stvk"}, )" G "}]}",
                 "1:35: error: unknown membrane \"stvk\"; none is allowed here\n"},
        BadScene{R"({"output": {"formats": ["obj", "glft"], "checkpoint_every": 0}, "cloths": [{)" G "}]}",
                 "1:32: error: unknown word \"glft\"; did you mean \"gltf\"?\n"
                 "1:61: error: 0 frames is out of range; expected at least 1 frames\n"},
        BadScene{R"({"fabrics": {"x": {"densty": 1}, "y": 3, "z": {"base": 1}}, "cloths": [{)" G "}]}",
                 "1:20: error: unknown key \"densty\" in fabric; did you mean \"density\"?\n"
                 "1:39: error: expected a fabric object, found a number\n"
                 "1:56: error: expected a string, found a number\n"}));

INSTANTIATE_TEST_SUITE_P(
    Parts, BadScenes,
    testing::Values(
        BadScene{
            R"({"cloths": [{)" G R"(, "pins": [{"vertices": {}}]}]})",
            "1:62: error: this selection chooses nothing; give \"indices\", \"group\", \"box\", \"uv_box\", "
            "\"nearest\" or \"all\": true\n"},
        BadScene{R"({"cloths": [{)" G R"(, "pins": [{"vertices": {"box": [[0, 0, 0]]}}]}]})",
                 "1:62: error: \"box\" needs two corners; found 1\n"},
        BadScene{R"({"cloths": [{)" G R"(, "pins": [{"vertices": {"indices": [-1, 1.5]}}]}]})",
                 "1:75: error: -1 is out of range; expected at least 0\n"
                 "1:79: error: expected a whole number, found 1.5\n"},
        BadScene{R"({"cloths": [{)" G R"(, "pins": [{"release": -1}]}]})",
                 "1:49: error: pin needs \"vertices\"; expected a selection object: The vertices held.\n"
                 "1:61: error: -1 s is out of range; expected at least 0 and at most 1e+09 s\n"},
        BadScene{R"({"cloths": [{)" G R"(, "regions": [{"faces": {"all": true}}]}]})",
                 "1:52: error: this region changes nothing; give it a \"fabric\" or a \"weft_angle\"\n"},
        BadScene{R"({"cloths": [{)" G R"(, "paint": [{"parameter": "density"}]}]})",
                 "1:50: error: paint needs either \"attribute\" or \"texture\"; give one of them\n"},
        BadScene{R"({"cloths": [{)" G
                 R"(, "paint": [{"parameter": "d", "attribute": "a", "texture": "t"}]}]})",
                 "1:50: error: paint needs either \"attribute\" or \"texture\"; remove one of them\n"},
        BadScene{R"({"cloths": [{)" G
                 R"(}], "forces": [{"type": "wind", "velocity": {"times": [0, 1], "values": [[0, 0, 0]]}}]})",
                 "1:82: error: key frames need as many values as times; found 2 times and 1 values\n"},
        BadScene{R"({"cloths": [{)" G
                 R"(}], "forces": [{"type": "wind", "gusts": {"times": [1, 1], "values": [0, 2]}}]})",
                 "1:111: error: 2 is out of range; expected at least 0 and at most 1\n"},
        BadScene{R"({"cloths": [{)" G
                 R"(}], "forces": [{"type": "wind", "gusts": {"times": [1, 1], "values": [0, 1]}}]})",
                 "1:79: error: the times of key frames must ascend; sort the keys by time and remove doubled "
                 "ones\n"}));

INSTANTIATE_TEST_SUITE_P(
    Together, BadScenes,
    testing::Values(
        BadScene{R"({"cloths": [{"name": "a", )" G R"(}, {"name": "a", )" G R"(}]})",
                 "1:63: error: duplicate name \"a\"; it was first given at 1:22; rename one of them\n"},
        BadScene{R"({"cloths": [{"name": "a", )" G
                 R"(}], "obstacles": [{"name": "a", "shape": {"type": "sphere"}}]})",
                 "1:78: error: duplicate name \"a\"; it was first given at 1:22; rename one of them\n"},
        BadScene{R"({"cloths": [{"name": "../a", )" G R"(}]})",
                 "1:22: error: \"../a\" cannot be a name, since names become file names; use letters, "
                 "digits, \"_\" and "
                 "\"-\"\n"},
        BadScene{R"({"obstacles": [{"name": "table", "shape": {"type": "sphere"}}],
 "cloths": [{)" G R"(, "attachments": [{"vertices": {"all": true}, "obstacle": "tabel"}]}]})",
                 "2:96: error: there is no obstacle or body \"tabel\"; did you mean \"table\"?\n"},
        BadScene{R"({"cloths": [{)" G R"(, "attachments": [{"vertices": {"all": true}, "obstacle": "x"}]}]})",
                 "1:96: error: there is no obstacle or body \"x\"; the scene has none\n"},
        BadScene{
            R"({"duration": 1e6, "frame_rate": 1000, "cloths": [{)" G "}]}",
            "1:14: error: 1e+06 s at 1000 frames a second are more than 1e+06 frames; lower \"duration\" or "
            "\"frame_rate\"\n"},
        BadScene{R"({"duration": -1, "frame_rate": 0, "cloths": [{)" G "}]}",
                 "1:14: error: -1 s is out of range; expected above 0 and at most 1e+09 s\n"
                 "1:32: error: 0 1/s is out of range; expected at least 0.001 and at most 1e+06 1/s\n"},
        BadScene{
            "{\n\"cloths\": [{\"fabrik\": 1,\n\"name\": 5}],\n\"gravty\": 3,\n\"obstacles\": [{}]}",
            "2:12: error: cloth needs \"mesh\"; expected a mesh object with a \"type\": The triangles of the "
            "cloth.\n"
            "2:13: error: unknown key \"fabrik\" in cloth; did you mean \"fabric\"?\n"
            "3:9: error: expected a string, found a number\n"
            "4:1: error: unknown key \"gravty\" in scene; did you mean \"gravity\"?\n"
            "5:15: error: an obstacle needs either \"shape\" or \"mesh\" or \"sequence\"; give one of "
            "them\n"}));

}  // namespace
}  // namespace heddle::test
