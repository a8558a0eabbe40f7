#include "sample_run.h"
#include "temporary_folder.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/bytes.h>
#include <heddle/io/export.h>
#include <heddle/io/mesh_sequence.h>

#include <fmt/format.h>

#include <cmath>

namespace heddle {
namespace {

constexpr const char* kFaces = "f 1 2 3\nf 1 3 4\n";

std::string square(double height, const char* faces = kFaces) {
  return fmt::format("v 0 0 {0}\nv 1 0 {0}\nv 1 1 {0}\nv 0 1 {0}\n{1}", height, faces);
}

class SequenceTest : public ::testing::Test {
 protected:
  void write(const std::string& name, std::string_view bytes) {
    ASSERT_TRUE(write_file_atomically(folder_.path / name, bytes));
  }
  template <class Sequence>
  Result<MeshSequence> load(const Sequence& sequence) {
    return load_sequence(Entity(description_of<Sequence>(), std::make_shared<Sequence>(sequence), {}),
                         folder_.path);
  }
  static FileSequence files(const std::string& path) {
    FileSequence sequence;
    sequence.path = path;
    return sequence;
  }
  /// What loading says, which must fail with all of the words.
  template <class Sequence>
  void expect_error(const Sequence& sequence, const std::vector<std::string>& words) {
    const Result<MeshSequence> loaded = load(sequence);
    ASSERT_FALSE(loaded);
    for (const std::string& word : words)
      EXPECT_NE(loaded.errors().text().find(word), std::string::npos)
          << loaded.errors().text() << "lacks " << word;
    for (const Diagnostic& item : loaded.errors().items()) EXPECT_FALSE(item.remedy.empty()) << item.message;
  }

  TemporaryFolder folder_;
};

TEST_F(SequenceTest, NumberedFilesInOrderOfTheirNumbers) {
  for (int k = 9; k < 12; ++k) write(fmt::format("a_{:02}.obj", k), square(k));
  write("a_7.obj", "not of the sequence");
  write("b_08.obj", "not of the sequence");
  FileSequence sequence = files("a_##.obj");
  sequence.frame_rate = 10;
  sequence.start = 0.5;
  sequence.scale = 2;
  const Result<MeshSequence> loaded = load(sequence);
  ASSERT_TRUE(loaded) << loaded.errors().text();
  EXPECT_EQ(loaded->mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  ASSERT_EQ(loaded->samples.positions.size(), 12u);
  EXPECT_EQ(loaded->mesh.positions[1], Vec3(2, 0, 18));
  EXPECT_EQ(loaded->samples.positions[4 + 1], Vec3f(2, 0, 20));
  EXPECT_EQ(loaded->samples.positions[8 + 2], Vec3f(2, 2, 22));
  EXPECT_EQ(loaded->samples.start, 0.5);
  EXPECT_EQ(loaded->samples.interval, 0.1);
}

TEST_F(SequenceTest, AFolderOfNumberedFiles) {
  for (int k = 8; k < 12; ++k) write(fmt::format("walk/a{}.obj", k), square(k));
  write("walk/readme.txt", "");
  const Result<MeshSequence> loaded = load(files("walk"));
  ASSERT_TRUE(loaded) << loaded.errors().text();
  EXPECT_EQ(loaded->samples.positions.size(), 16u);
  EXPECT_EQ(loaded->samples.positions[12].z(), 11);
  write("walk/b1.obj", square(0));
  expect_error(files("walk"), {"several sequences", "a#.obj", "b#.obj"});
}

TEST_F(SequenceTest, YUpIsTurned) {
  write("a_1.obj", square(3));
  FileSequence sequence = files("a_#.obj");
  sequence.up = "y";
  const Result<MeshSequence> loaded = load(sequence);
  ASSERT_TRUE(loaded) << loaded.errors().text();
  EXPECT_EQ(loaded->mesh.positions[2], Vec3(1, -3, 1));
}

TEST_F(SequenceTest, MissingFilesAndGaps) {
  expect_error(files("a_###.obj"), {"a_###.obj", "no file has such a name", "\"a_001.obj\""});
  expect_error(files("nowhere"), {"nowhere", "no such folder"});
  write("a.obj", square(0));
  expect_error(files("a.obj"), {"is one file, not a sequence", "####", "\"mesh\""});
  for (const int k : {1, 2, 4}) write(fmt::format("a_{:03}.obj", k), square(k));
  expect_error(files("a_###.obj"), {"a_003.obj", "is missing", "from 1 to 4", "without a gap"});
  write("a_008.obj", square(8));
  write("a_003.obj", square(3));
  expect_error(files("a_###.obj"), {"a_005.obj", "and so are all to 7"});
  expect_error(files("#_#.obj"), {"# at two places"});
  std::filesystem::create_directories(folder_.path / "empty");
  expect_error(files("empty"), {"holds no numbered .obj or .ply files"});
}

TEST_F(SequenceTest, TopologyThatChanges) {
  write("a_1.obj", square(0));
  write("a_2.obj", square(0, "f 1 2 3\n"));
  expect_error(files("a_#.obj"), {"a_2.obj", "has 1 triangles, but a_1.obj has 2", "same faces"});
  write("a_2.obj", square(0, "f 1 2 3\nf 1 4 3\n"));
  expect_error(files("a_#.obj"), {"a_2.obj", "triangle 1 has other corners than in a_1.obj"});
  write("a_2.obj", square(0) + "v 5 5 5\n");
  expect_error(files("a_#.obj"), {"a_2.obj", "has 5 vertices, but a_1.obj has 4"});
}

TEST_F(SequenceTest, FramesThatAreNotFiniteEmptyOrAbsurd) {
  write("a_1.obj", square(0));
  write("a_2.obj", square(NAN));
  const Result<MeshSequence> broken = load(files("a_#.obj"));
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.errors().text().find("a_2.obj:1:"), std::string::npos) << broken.errors().text();
  EXPECT_NE(broken.errors().text().find("expected a finite number, found \"nan\""), std::string::npos);
  write("a_2.obj", "v 0 0 0\n");
  expect_error(files("a_#.obj"), {"a_2.obj", "holds no faces"});
  write("a_2.obj", square(1));
  FileSequence sequence = files("a_#.obj");
  sequence.scale = 1e5;
  expect_error(sequence, {"m from the origin", "lower \"scale\""});
}

std::string pc2(std::int32_t points, float rate, std::int32_t samples, const std::vector<Vec3f>& positions) {
  ByteWriter out;
  out.put_bytes(std::string_view("POINTCACHE2\0", 12));
  out.put<std::int32_t>(1);
  out.put(points);
  out.put(0.0f);
  out.put(rate);
  out.put(samples);
  out.put_all(positions);
  return out.take();
}

TEST_F(SequenceTest, Pc2WithItsMesh) {
  write("a.obj", square(0));
  const std::vector<Vec3f> positions{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 2}, {1, 1, 3}, {0, 1, 4}};
  write("a.pc2", pc2(4, 0.5f, 2, positions));
  Pc2Sequence sequence;
  sequence.path = "a.pc2";
  sequence.mesh = "a.obj";
  const Result<MeshSequence> loaded = load(sequence);
  ASSERT_TRUE(loaded) << loaded.errors().text();
  EXPECT_EQ(loaded->samples.positions, positions);
  EXPECT_EQ(loaded->samples.interval, 0.02);

  write("a.pc2", pc2(5, 1, 1, std::vector<Vec3f>(5, Vec3f::Zero())));
  expect_error(sequence, {"a.pc2", "moves 5 vertices", "a.obj has 4"});
  write("a.pc2", pc2(4, 1, 3, positions));
  expect_error(sequence, {"is cut off: it holds 2 of 3 samples"});
  write("a.pc2", pc2(4, 1, 0, {}));
  expect_error(sequence, {"holds no samples"});
  write("a.pc2", pc2(4, -1, 2, positions));
  expect_error(sequence, {"makes no sense"});
  write("a.pc2", "cloth");
  expect_error(sequence, {"is not a PC2 file"});
  std::vector<Vec3f> broken = positions;
  broken[6].y() = std::numeric_limits<float>::infinity();
  write("a.pc2", pc2(4, 1, 2, broken));
  expect_error(sequence, {"frame 1 of the sequence: vertex 2 has a coordinate that is not a finite number"});
}

/// A strip of two squares on two bones: the second turns about the end of the first by 90 degrees in 1 s,
/// while the first goes up by 1 m; all in glTF's axes.
std::string skinned_gltf(bool animated) {
  ByteWriter body;
  const auto put = [&](std::initializer_list<float> values) {
    for (const float value : values) body.put(value);
  };
  put({0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0});  // 72 positions
  for (const int bone : {0, 0, 0, 0, 1, 1})
    for (const int value : {bone, 1, 0, 0})
      body.put<std::uint8_t>(static_cast<std::uint8_t>(value));                            // 24 joints
  for (const float own : {1.0f, 1.0f, 0.5f, 0.5f, 1.0f, 1.0f}) put({own, 1 - own, 0, 0});  // 96 weights
  for (const int index : {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5})
    body.put<std::uint16_t>(static_cast<std::uint16_t>(index));
  put({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1});
  put({0, 1});              // times
  put({0, 0, 0, 0, 1, 0});  // translations
  const float half = std::sqrt(0.5f);
  put({0, 0, 0, 1, 0, 0, half, half});  // rotations about z
  std::string animations;
  if (animated)
    animations =
        R"("animations": [{"name": "bend", "samplers": [{"input": 5, "output": 6}, {"input": 5, "output": 7}],
      "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}},
                   {"sampler": 1, "target": {"node": 2, "path": "rotation"}}]}],)";
  std::string json = R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
    "nodes": [{"name": "strip", "mesh": 0, "skin": 0}, {"name": "first", "children": [2]},
              {"name": "second", "translation": [1, 0, 0]}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3}]}],
    "skins": [{"joints": [1, 2], "inverseBindMatrices": 4}],)" +
                     animations + R"(
    "accessors": [
      {"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3", "min": [0, 0, 0], "max": [2, 1, 0]},
      {"bufferView": 1, "componentType": 5121, "count": 6, "type": "VEC4"},
      {"bufferView": 2, "componentType": 5126, "count": 6, "type": "VEC4"},
      {"bufferView": 3, "componentType": 5123, "count": 12, "type": "SCALAR"},
      {"bufferView": 4, "componentType": 5126, "count": 2, "type": "MAT4"},
      {"bufferView": 5, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
      {"bufferView": 6, "componentType": 5126, "count": 2, "type": "VEC3"},
      {"bufferView": 7, "componentType": 5126, "count": 2, "type": "VEC4"}],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 72}, {"buffer": 0, "byteOffset": 72, "byteLength": 24},
      {"buffer": 0, "byteOffset": 96, "byteLength": 96}, {"buffer": 0, "byteOffset": 192, "byteLength": 24},
      {"buffer": 0, "byteOffset": 216, "byteLength": 128}, {"buffer": 0, "byteOffset": 344, "byteLength": 8},
      {"buffer": 0, "byteOffset": 352, "byteLength": 24}, {"buffer": 0, "byteOffset": 376, "byteLength": 32}],
    "buffers": [{"byteLength": 408}]})";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  ByteWriter file;
  file.put_bytes("glTF");
  file.put<std::uint32_t>(2);
  file.put(static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + body.size()));
  file.put(static_cast<std::uint32_t>(json.size()));
  file.put_bytes("JSON");
  file.put_bytes(json);
  file.put(static_cast<std::uint32_t>(body.size()));
  file.put_bytes(std::string_view("BIN\0", 4));
  file.put_bytes(body.bytes());
  return file.take();
}

AnimationSequence animation(const std::string& path, double frame_rate) {
  AnimationSequence sequence;
  sequence.path = path;
  sequence.frame_rate = frame_rate;
  return sequence;
}

TEST_F(SequenceTest, SkinnedGltfByLinearBlendSkinning) {
  write("strip.glb", skinned_gltf(true));
  const Result<MeshSequence> loaded = load(animation("strip.glb", 2));
  ASSERT_TRUE(loaded) << loaded.errors().text();
  EXPECT_EQ(loaded->mesh.vertex_count(), 6);
  EXPECT_EQ(loaded->mesh.triangle_count(), 4);
  ASSERT_EQ(loaded->samples.positions.size(), 3u * 6);
  const auto expect_at = [&](size_t sample, size_t vertex, const Vec3f& gltf) {
    const Vec3f expected(gltf.x(), -gltf.z(), gltf.y());  // z up
    const Vec3f& found = loaded->samples.positions[6 * sample + vertex];
    EXPECT_LT((found - expected).norm(), 1e-5f) << sample << " " << vertex << ": " << found.transpose();
  };
  expect_at(0, 5, {2, 1, 0});
  expect_at(2, 1, {0, 2, 0});  // of the first bone: up by 1
  expect_at(2, 4, {1, 2, 0});  // of the second: turned about (1, 0), then up
  expect_at(2, 5, {0, 2, 0});
  expect_at(2, 3, {0.5f, 1.5f, 0});  // half of (1, 2) and half of (0, 1): linear blend
  const float s = std::sqrt(0.5f);
  expect_at(1, 4, {1 + s, 0.5f + s, 0});  // half-way: 45 degrees and 0.5 m
}

TEST_F(SequenceTest, AnimationsAreChosenByName) {
  write("strip.glb", skinned_gltf(true));
  AnimationSequence sequence = animation("strip.glb", 25);
  sequence.animation = "bend";
  EXPECT_TRUE(load(sequence));
  sequence.animation = "walk";
  expect_error(sequence, {"strip.glb", "holds no animation \"walk\"", "it holds \"bend\""});
  write("still.glb", skinned_gltf(false));
  expect_error(animation("still.glb", 25), {"still.glb", "holds no animation", "\"mesh\""});
  expect_error(animation("strip.glb", 1e4 * 1e4), {"frames", "lower \"frame_rate\""});
  expect_error(animation("nothing.glb", 25), {"nothing.glb"});
}

/// What assimp does not survive, or passes over in silence.
TEST_F(SequenceTest, FaultsWithinAGltfAreNamed) {
  const std::string good = skinned_gltf(true);
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string bad = good;
    const size_t place = bad.rfind(from);
    EXPECT_NE(place, std::string::npos);
    return bad.replace(place, from.size(), to);
  };
  const std::string_view weights = R"(, "JOINTS_0": 1, "WEIGHTS_0": 2)";
  write("bad.glb", with(weights, std::string(weights.size(), ' ')));
  expect_error(animation("bad.glb", 25), {"bad.glb", "node 0 has a skin", "WEIGHTS_0", "export it again"});
  const std::string_view corners("\3\0\4\0\5\0", 6), beyond("\3\0\4\0\7\1", 6);
  write("bad.glb", with(corners, beyond));
  expect_error(animation("bad.glb", 25), {"1 of its 4 triangles", "vertices that do not exist"});
  const std::string_view times("\0\0\0\0\0\0\x80\x3f", 8), back("\0\0\x80\x3f\0\0\0\0", 8);
  std::string bad = good;
  const size_t body = bad.size() - 408 + 344;
  EXPECT_EQ(bad.substr(body, 8), times);
  write("bad.glb", bad.replace(body, 8, back));
  expect_error(animation("bad.glb", 25), {"the times of the keys of node \"", "export the animation"});
}

/// Heddle writes cloths as morph targets and rigid obstacles as moving nodes: both must come back.
TEST_F(SequenceTest, MorphTargetsAndNodesOfAnExportedRun) {
  const std::filesystem::path run = folder_.path / "run";
  write_sample_run(run);
  const Result<RunReader> reader = RunReader::open(run);
  ASSERT_TRUE(reader) << reader.errors().text();
  for (const SnapshotObject& object : reader->model().objects) {
    ExportOptions options;
    options.format = "gltf";
    options.out = folder_.path / object.name;
    options.object = object.name;
    ASSERT_TRUE(export_run(*reader, options));
  }
  const SnapshotModel model = sample_model();
  for (size_t o = 0; o < model.objects.size(); ++o) {
    const Result<MeshSequence> loaded = load(animation(model.objects[o].name + ".glb", model.frame_rate));
    ASSERT_TRUE(loaded) << loaded.errors().text();
    const size_t n = model.objects[o].rest_positions.size();
    ASSERT_EQ(loaded->mesh.positions.size(), n);
    ASSERT_EQ(loaded->samples.positions.size(), n * kSampleFrames);
    for (int k = 0; k < kSampleFrames; ++k) {
      const Snapshot snapshot = sample_snapshot(k);
      for (size_t i = 0; i < n; ++i) {
        const Vec3 expected = world_position(model.objects[o], snapshot.objects[o], i);
        const Vec3f& found = loaded->samples.positions[static_cast<size_t>(k) * n + i];
        EXPECT_LT((found.cast<double>() - expected).norm(), 1e-5) << o << " " << k << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace heddle
