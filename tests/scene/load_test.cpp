#include "toy_types.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

constexpr const char* kFullScene = R"({
  "$schema": "scene.schema.json", "heddle": 1, "title": "Everything",
  "duration": 1.5, "frame_rate": 30, "gravity": [0, 0, -1.62],
  "fabrics": {"sail": {"base": "polyester", "thickness": 0.001}},
  "cloths": [{
    "name": "flag", "mesh": {"type": "grid", "size": [2, 1], "resolution": 40}, "rest": "flat",
    "translation": [0, 0, 1], "rotation": [90, 0, 0], "scale": 2, "velocity": [1, 0, 0],
    "fabric": "sail", "weft_angle": 45, "bending": {"type": "hinge", "curved": true},
    "regions": [{"faces": {"indices": [0, 1]}, "fabric": "denim", "weft_angle": 30}],
    "paint": [{"parameter": "thickness", "attribute": "thick", "range": [0.001, 0.002]}],
    "pins": [{"vertices": {"all": true}, "centre": [1, 2, 3], "release": 0.5,
              "motion": {"translation": {"times": [0, 1], "values": [[0, 0, 0], [1, 0, 0]], "interpolation": "smooth"}}}],
    "attachments": [{"vertices": {"nearest": [[0, 0, 0]]}, "obstacle": "pole", "release": 1}]
  }],
  "obstacles": [{"name": "pole", "shape": {"type": "sphere", "radius": 0.1}, "motion": {"rotation": [0, 0, 90]}, "friction": 0.5}],
  "forces": [{"type": "wind", "velocity": [3, 0, 0], "gusts": 0.2}],
  "integrator": {"type": "euler", "dt": 0.002},
  "output": {"formats": ["gltf", "pc2"], "checkpoint_every": 5}
})";

SceneDescription load(const std::string& text) {
  const Catalogue catalogue = toy_catalogue();
  const Result<LoadedScene> loaded = load_scene_text(text, "scenes/a.json", catalogue);
  EXPECT_TRUE(loaded) << loaded.errors().text();
  return loaded ? loaded->description : SceneDescription();
}

TEST(Load, ReadsTheSceneItself) {
  const SceneDescription scene = load(kFullScene);
  EXPECT_EQ(scene.title, "Everything");
  EXPECT_EQ(scene.duration, 1.5);
  EXPECT_EQ(scene.frame_rate, 30);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -1.62));
  EXPECT_EQ(scene.fabrics.at("sail").value.find("base")->string(), "polyester");
  EXPECT_EQ(scene.integrator.as<Euler>().dt, 0.002);
  EXPECT_EQ(scene.forces.at(0).as<Wind>().gusts.at(7), 0.2);
  EXPECT_EQ(scene.output.formats, (std::vector<std::string>{"gltf", "pc2"}));
  EXPECT_EQ(scene.output.checkpoint_every, 5);
  EXPECT_EQ(scene.file, "scenes/a.json");
}

TEST(Load, ReadsCloths) {
  const ClothDescription cloth = load(kFullScene).cloths.at(0);
  EXPECT_EQ(cloth.name, "flag");
  EXPECT_EQ(cloth.mesh.as<Grid>().resolution, 40);
  EXPECT_EQ(cloth.rest, "flat");
  EXPECT_EQ(cloth.translation, Vec3(0, 0, 1));
  EXPECT_EQ(cloth.rotation, Vec3(90, 0, 0));
  EXPECT_EQ(cloth.scale, 2);
  EXPECT_EQ(cloth.velocity, Vec3(1, 0, 0));
  EXPECT_EQ(cloth.fabric, "sail");
  EXPECT_EQ(cloth.weft_angle, 45);
  EXPECT_TRUE(cloth.bending.as<Hinge>().curved);
  EXPECT_FALSE(cloth.membrane);
  EXPECT_EQ(cloth.regions.at(0).faces.indices, (std::vector<int>{0, 1}));
  EXPECT_EQ(cloth.regions.at(0).weft_angle, 30);
  EXPECT_EQ(cloth.paint.at(0).range, Vec2(0.001, 0.002));
  EXPECT_EQ(cloth.pins.at(0).motion.translation.at(0.5), Vec3(0.5, 0, 0));
  EXPECT_EQ(cloth.pins.at(0).release, 0.5);
  EXPECT_EQ(cloth.attachments.at(0).obstacle, "pole");
}

TEST(Load, RemembersWhereThingsStand) {
  const ClothDescription cloth = load(kFullScene).cloths.at(0);
  EXPECT_EQ(to_string(cloth.where), "scenes/a.json:5:14");
  EXPECT_EQ(to_string(cloth.mesh.where), "scenes/a.json:6:29");
  EXPECT_EQ(to_string(cloth.regions.at(0).where), "scenes/a.json:9:17");
  EXPECT_EQ(to_string(cloth.regions.at(0).faces.where), "scenes/a.json:9:27");
  EXPECT_EQ(to_string(cloth.paint.at(0).where), "scenes/a.json:10:15");
  EXPECT_EQ(to_string(cloth.pins.at(0).where), "scenes/a.json:11:14");
  EXPECT_EQ(to_string(cloth.attachments.at(0).where), "scenes/a.json:13:21");
}

TEST(Load, FillsInDefaults) {
  const SceneDescription scene = load(R"({"cloths": [{"mesh": {"type": "grid"}}]})");
  EXPECT_EQ(scene.duration, 2);
  EXPECT_EQ(scene.cloths.at(0).fabric, "cotton");
  EXPECT_EQ(scene.cloths.at(0).mesh.as<Grid>().resolution, 10);
  EXPECT_FALSE(scene.integrator);
}

TEST(Load, NamesTheUnnamed) {
  const SceneDescription scene =
      load(R"({"cloths": [{"mesh": {"type": "grid"}}, {"mesh": {"type": "grid"}, "name": "cloth2"},
    {"mesh": {"type": "grid"}}], "obstacles": [{"shape": {"type": "sphere"}}, {"shape": {"type": "sphere"}}]})");
  EXPECT_EQ(scene.cloths.at(0).name, "cloth");
  EXPECT_EQ(scene.cloths.at(2).name, "cloth3");
  EXPECT_EQ(scene.obstacles.at(1).name, "obstacle2");
}

TEST(Load, AcceptsAttachmentsToUnnamedObstacles) {
  EXPECT_EQ(messages_of(R"({"cloths": [{"mesh": {"type": "grid"}, "attachments": [{"vertices": {"all": true},
    "obstacle": "obstacle"}]}], "obstacles": [{"shape": {"type": "sphere"}}]})"),
            "");
}

TEST(Load, WarnsButLoads) {
  EXPECT_EQ(
      messages_of("{\"gravity\": [0, 0, -981], \"duration\": 0.01,\n \"cloths\": [{\"mesh\": {\"type\": "
                  "\"grid\"}}]}"),
      "a.json:1:13: warning: gravity is more than ten times that of the Earth; lengths are in metres, so the "
      "Earth's is [0, 0, -9.81]\n"
      "a.json:1:39: warning: the scene is shorter than one frame; raise \"duration\" or \"frame_rate\"\n");
}

TEST(Load, ResolvesPathsFromTheFileTheyStandIn) {
  EXPECT_EQ(resolve_path("meshes/a.obj", {"scenes/b.json", 1, 1}), "scenes/meshes/a.obj");
  EXPECT_EQ(resolve_path("../a.obj", {"scenes/b.json", 1, 1}), "a.obj");
  EXPECT_EQ(resolve_path("/a.obj", {"scenes/b.json", 1, 1}), "/a.obj");
}

}  // namespace
}  // namespace heddle::test
