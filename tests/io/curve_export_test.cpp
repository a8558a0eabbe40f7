#include "sample_run.h"
#include "temporary_folder.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/curve_file.h>
#include <heddle/io/export.h>
#include <heddle/io/snapshot_codec.h>

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include <assimp/Importer.hpp>
#include <cmath>
#include <cstring>

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int kPoints = 6, kSides = 4;

/// Where the points of the sample rod are in a frame: an arc that swings.
Vec3 point_of(int i, int frame) {
  const double angle = 0.3 * i;
  return {std::cos(angle), std::sin(angle), 0.1 * frame * i};
}

/// A row of squares about the points, joined by one face each.
SnapshotModel rod_model(bool closed) {
  SnapshotObject rod;
  rod.name = "rope";
  rod.curves.radius = 0.02f;
  rod.curves.ring_size = kSides;
  for (int i = 0; i < kPoints; ++i) {
    rod.curves.rings.push_back(kSides * i);
    for (int k = 0; k < kSides; ++k) rod.rest_positions.emplace_back(Vec3f::Zero());
    const int next = i + 1 < kPoints ? i + 1 : 0;
    if (next == 0 && !closed) continue;
    rod.curves.lines.push_back({i, next});
    rod.curves.faces.push_back(static_cast<int>(rod.triangles.size()));
    rod.triangles.push_back({kSides * i, kSides * i + 1, kSides * next});
    rod.face_material.push_back(1);
  }
  SnapshotModel model;
  model.objects = {sample_model().objects[0], rod};
  model.objects[0].face_material.assign(model.objects[0].triangles.size(), 0);
  model.materials = {{.name = "cotton"}, {.name = "hemp"}};
  return model;
}

Snapshot rod_snapshot(const SnapshotModel& model, int frame) {
  Snapshot snapshot{frame, 0.04 * frame, {sample_snapshot(frame).objects[0], {}}};
  SnapshotObjectFrame& rod = snapshot.objects[1];
  for (int i = 0; i < kPoints; ++i)
    for (int k = 0; k < kSides; ++k) {
      const Vec3 aside(std::cos(M_PI_2 * k), 0, std::sin(M_PI_2 * k));
      rod.positions.push_back((point_of(i, frame) + 0.02 * aside).cast<float>());
      rod.velocities.emplace_back(0, 0, 2.5f * static_cast<float>(i));
      rod.pressures.push_back(static_cast<float>(i));
    }
  for (size_t s = 0; s < model.objects[1].triangles.size(); ++s)
    rod.strains.emplace_back(0.01f * static_cast<float>(s), 0.5f, -0.25f);
  return snapshot;
}

class CurveExport : public testing::Test {
 protected:
  void write(bool closed) {
    const SnapshotModel model = rod_model(closed);
    const RunFolder run(folder_.path / "run");
    ASSERT_TRUE(write_model(run.model(), model));
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(write_snapshot(run.frame(k), rod_snapshot(model, k)));
  }
  void run_export(const std::string& format, const std::string& to, RodExport rods = RodExport::curves) {
    const Result<RunReader> run = RunReader::open(folder_.path / "run");
    ASSERT_TRUE(run);
    const Status done = export_run(*run, {.format = format, .out = folder_.path / to, .rods = rods});
    ASSERT_TRUE(done) << done.errors().text();
  }
  std::string text(const std::string& name) const {
    const Result<std::string> bytes = read_file(folder_.path / name);
    return bytes ? *bytes : "";
  }
  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
  /// What a scene makes of an exported file.
  void expect_read_back(const std::string& name, int frame, bool closed) {
    const Result<CurveNet> net = make_curve(CurveFile{.path = name}, folder_.path);
    ASSERT_TRUE(net) << net.errors().text();
    ASSERT_EQ(net->points.size(), static_cast<size_t>(kPoints));
    ASSERT_EQ(net->segment_count(), closed ? kPoints : kPoints - 1);
    for (int i = 0; i < kPoints; ++i)
      EXPECT_LT((net->points[static_cast<size_t>(i)] - point_of(i, frame)).norm(), 1e-6) << i;
  }

  TemporaryFolder folder_;
};

TEST_F(CurveExport, ObjHoldsLinesThatScenesRead) {
  write(false);
  run_export("obj", "obj");
  const std::string obj = text("obj/frame_000002.obj");
  EXPECT_NE(obj.find("usemtl hemp\nl 26 27 28 29 30 31\n"), std::string::npos) << "after the 25 of the cloth";
  expect_read_back("obj/frame_000002.obj", 2, false);
  run_export("obj", "both", RodExport::both);
  const std::string both = text("both/frame_000001.obj");
  EXPECT_NE(both.find("o rope\n"), std::string::npos);
  EXPECT_NE(both.find("o rope_curve\n"), std::string::npos);
  EXPECT_EQ(count(both, "\nf "), 32 + 5);
  EXPECT_EQ(count(both, "\nl "), 1);
  run_export("obj", "tubes", RodExport::tubes);
  EXPECT_EQ(count(text("tubes/frame_000001.obj"), "\nl "), 0);
}

TEST_F(CurveExport, RingsComeBackClosed) {
  write(true);
  run_export("obj", "obj");
  expect_read_back("obj/frame_000001.obj", 1, true);
  run_export("gltf", "a.glb");
  expect_read_back("a.glb", 0, true);
}

TEST_F(CurveExport, GltfHoldsLinesThatMove) {
  write(false);
  run_export("gltf", "a.glb");
  expect_read_back("a.glb", 0, false);
  Assimp::Importer importer;
  const aiScene* scene =
      importer.ReadFile((folder_.path / "a.glb").string(), aiProcess_ValidateDataStructure);
  ASSERT_TRUE(scene) << importer.GetErrorString();
  const aiMesh* mesh = scene->mMeshes[scene->mNumMeshes - 1];
  ASSERT_EQ(mesh->mPrimitiveTypes, static_cast<unsigned>(aiPrimitiveType_LINE));
  ASSERT_EQ(mesh->mNumAnimMeshes, 2u);
  for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
    const aiVector3D& x = mesh->mAnimMeshes[1]->mVertices[i];
    EXPECT_LT((Vec3(x.x, x.y, x.z) - point_of(static_cast<int>(i), 2)).norm(), 1e-6);
  }
}

TEST_F(CurveExport, UsdHoldsCurvesAsWideAsTheRod) {
  write(true);
  run_export("usd", "a.usda");
  const std::string usd = text("a.usda");
  EXPECT_NE(usd.find("def BasisCurves \"rope\""), std::string::npos);
  EXPECT_NE(usd.find("int[] curveVertexCounts = [7]"), std::string::npos);
  EXPECT_NE(usd.find("float[] widths = [0.04]"), std::string::npos);
}

TEST_F(CurveExport, PlyHoldsEdgesWithStrains) {
  write(false);
  run_export("ply", "ply");
  const std::string ply = text("ply/frame_000000.ply");
  EXPECT_NE(ply.find("element edge 5\nproperty int vertex1\n"), std::string::npos);
  constexpr size_t kEdge = 2 * 4 + 3 * 4 + 2 * 4;
  ASSERT_GT(ply.size(), kEdge);
  const auto number = [&](size_t at, auto value) {
    std::memcpy(&value, ply.data() + ply.size() - kEdge + at, sizeof(value));
    return value;
  };
  EXPECT_EQ(number(0, std::int32_t()), 25 + 4);
  EXPECT_EQ(number(4, std::int32_t()), 25 + 5);
  EXPECT_FLOAT_EQ(number(8, 0.0f), 0.04f);
  EXPECT_FLOAT_EQ(number(16, 0.0f), -0.25f);
}

TEST_F(CurveExport, ModelsKeepTheirCurves) {
  const SnapshotModel model = rod_model(true);
  const std::string bytes = encode_model(model);
  const Result<SnapshotModel> read = decode_model(bytes, "m");
  ASSERT_TRUE(read) << read.errors().text();
  EXPECT_EQ(read->objects[1].curves.lines, model.objects[1].curves.lines);
  EXPECT_EQ(read->objects[1].curves.rings, model.objects[1].curves.rings);
  EXPECT_EQ(read->objects[1].curves.radius, 0.02f);
  EXPECT_TRUE(read->objects[0].curves.empty());
  SnapshotModel wrong = model;
  wrong.objects[1].curves.rings[2] = 1000;
  EXPECT_FALSE(decode_model(encode_model(wrong), "m"));
  wrong = model;
  wrong.objects[1].curves.ring_size = 0;
  EXPECT_FALSE(decode_model(encode_model(wrong), "m"));
}

/// Edges in any order and direction, as modelling programs write them.
TEST_F(CurveExport, UnorderedLinesMakeOneCurve) {
  const auto divided = [&](const std::string& lines) {
    EXPECT_TRUE(write_file_atomically(folder_.path / "a.obj",
                                      "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 3 1 0\n" + lines));
    return make_curve(CurveFile{.path = "a.obj", .segments = 8}, folder_.path);
  };
  const Result<CurveNet> curve = divided("l 3 2\nl 4 5\nl 1 2\nl 3 4\n");
  ASSERT_TRUE(curve) << curve.errors().text();
  ASSERT_EQ(curve->points.size(), 9u);
  for (const Vec3& end : {curve->points.front(), curve->points.back()})
    EXPECT_TRUE((end - Vec3(0, 0, 0)).norm() < 1e-12 || (end - Vec3(3, 1, 0)).norm() < 1e-12);
  for (const auto& [a, b] : curve->segments)
    EXPECT_NEAR((curve->points[static_cast<size_t>(b)] - curve->points[static_cast<size_t>(a)]).norm(), 0.5,
                1e-12);
  const Result<CurveNet> ring = divided("l 5 1\nl 3 2\nl 4 5\nl 1 2\nl 3 4\n");
  ASSERT_TRUE(ring) << ring.errors().text();
  EXPECT_EQ(ring->points.size(), 8u);
  for (const char* net : {"l 1 2\nl 2 3\nl 2 4\n", "l 1 2\nl 3 4\n", "l 1 2\nl 2 3\nl 3 1\nl 4 5\n"}) {
    const Result<CurveNet> none = divided(net);
    ASSERT_FALSE(none) << net;
    EXPECT_NE(none.errors().text().find("only a single curve"), std::string::npos);
  }
}

TEST_F(CurveExport, FilesWithoutLinesSayWhatToDo) {
  write(false);
  run_export("gltf", "faces.glb", RodExport::tubes);
  const Result<CurveNet> none = make_curve(CurveFile{.path = "faces.glb"}, folder_.path);
  ASSERT_FALSE(none);
  EXPECT_NE(none.errors().text().find("holds no lines"), std::string::npos);
}

}  // namespace
}  // namespace heddle
