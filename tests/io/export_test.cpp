#include "sample_run.h"
#include "temporary_folder.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/export.h>
#include <heddle/io/mesh_import.h>

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <fstream>

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// A fresh sample run for every test.
class Export : public testing::Test {
 protected:
  Export() { EXPECT_TRUE(write_sample_run(folder_.path / "run")); }

  Status try_export(const ExportOptions& options) {
    const Result<RunReader> run = RunReader::open(folder_.path / "run");
    return run ? export_run(*run, options) : Status(run.errors());
  }
  std::string error(const ExportOptions& options) {
    const Status status = try_export(options);
    return status ? "" : status.errors().text();
  }
  fs::path out(const std::string& name) const { return folder_.path / name; }

  TemporaryFolder folder_;
};

std::vector<Vec3> expected_positions(int frame) {
  const SnapshotModel model = sample_model();
  const Snapshot snapshot = sample_snapshot(frame);
  std::vector<Vec3> positions;
  for (size_t i = 0; i < model.objects.size(); ++i)
    for (size_t v = 0; v < model.objects[i].rest_positions.size(); ++v)
      positions.push_back(
          !snapshot.objects[i].positions.empty()
              ? Vec3(snapshot.objects[i].positions[v].cast<double>())
              : snapshot.objects[i].pose.point(model.objects[i].rest_positions[v].cast<double>()));
  return positions;
}

/// The corners of all triangles one after the other, which no reader may reorder.
std::vector<Vec3> expected_corners(int frame) {
  const std::vector<Vec3> positions = expected_positions(frame);
  std::vector<Vec3> corners;
  int first = 0;
  for (const SnapshotObject& object : sample_model().objects) {
    for (const Triangle& triangle : object.triangles)
      for (const int vertex : triangle) corners.push_back(positions[static_cast<size_t>(first + vertex)]);
    first += static_cast<int>(object.rest_positions.size());
  }
  return corners;
}

void expect_near(const std::vector<Vec3>& found, const std::vector<Vec3>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_LT((found[i] - expected[i]).norm(), 1e-5) << i;
}

Vec3 vector(const aiVector3D& v) {
  return {v.x, v.y, v.z};
}

/// `target` counts the morph targets from 0; -1 takes the mesh itself.
void collect_corners(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent, int target,
                     std::vector<Vec3>& corners) {
  const aiMatrix4x4 transform = parent * node.mTransformation;
  for (unsigned i = 0; i < node.mNumMeshes; ++i) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[i]];
    const bool morphed = target >= 0 && static_cast<unsigned>(target) < mesh.mNumAnimMeshes;
    const aiVector3D* points = morphed ? mesh.mAnimMeshes[target]->mVertices : mesh.mVertices;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f)
      for (unsigned k = 0; k < mesh.mFaces[f].mNumIndices; ++k)
        corners.push_back(vector(transform * points[mesh.mFaces[f].mIndices[k]]));
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i)
    collect_corners(scene, *node.mChildren[i], transform, target, corners);
}

std::vector<Vec3> assimp_corners(const fs::path& file, int target = -1) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(file.string(), aiProcess_ValidateDataStructure);
  EXPECT_TRUE(scene) << importer.GetErrorString();
  std::vector<Vec3> corners;
  if (scene) collect_corners(*scene, *scene->mRootNode, aiMatrix4x4(), target, corners);
  return corners;
}

TEST_F(Export, AssimpReadsObjAndPly) {
  ASSERT_EQ(error({.format = "obj", .out = out("obj")}), "");
  ASSERT_EQ(error({.format = "ply", .out = out("ply")}), "");
  for (const int frame : {0, 2, 4}) {
    const std::string name = "frame_00000" + std::to_string(frame);
    expect_near(assimp_corners(out("obj") / (name + ".obj")), expected_corners(frame));
    expect_near(assimp_corners(out("ply") / (name + ".ply")), expected_corners(frame));
  }
}

TEST_F(Export, AssimpReadsGltf) {
  ASSERT_EQ(error({.format = "gltf", .out = out("a.glb")}), "");
  std::vector<Vec3> found = assimp_corners(out("a.glb"));
  for (Vec3& x : found) x = Vec3(x.x(), -x.z(), x.y());
  expect_near(found, expected_corners(0));
  // Of a later frame only the cloths move by morph targets: compare the first one, the flag.
  std::vector<Vec3> later = assimp_corners(out("a.glb"), 2);
  for (Vec3& x : later) x = Vec3(x.x(), -x.z(), x.y());
  const size_t flag_corners = 3 * sample_model().objects[0].triangles.size();
  std::vector<Vec3> expected = expected_corners(3);
  later.resize(flag_corners);
  expected.resize(flag_corners);
  expect_near(later, expected);
}

TEST_F(Export, OwnReadersReadObjAndPly) {
  ASSERT_EQ(error({.format = "obj", .out = out("obj")}), "");
  ASSERT_EQ(error({.format = "ply", .out = out("ply"), .object = "flag"}), "");
  const Result<TriangleMesh> obj = import_mesh(out("obj") / "frame_000003.obj");
  ASSERT_TRUE(obj) << obj.errors().text();
  expect_near(obj->positions, expected_positions(3));
  EXPECT_EQ(obj->face_groups.at("flag").size(), 32u);
  EXPECT_EQ(obj->face_groups.at("silk__gold_").size(), 22u + 8u);
  const Result<TriangleMesh> ply = import_mesh(out("ply") / "frame_000003.ply");
  ASSERT_TRUE(ply) << ply.errors().text();
  EXPECT_EQ(ply->vertex_count(), 25);
  EXPECT_EQ(ply->triangles, sample_model().objects[0].triangles);
  EXPECT_NEAR(ply->vertex_scalars.at("vz")[7], sample_snapshot(3).objects[0].velocities[7].z(), 1e-6);
  EXPECT_NEAR(ply->uv[7].x(), sample_model().objects[0].uv[7].x(), 1e-6);
}

TEST_F(Export, FrameRangeAndObjectAreObeyed) {
  ASSERT_EQ(error({.format = "obj", .out = out("obj"), .first = 1, .last = 3}), "");
  EXPECT_FALSE(fs::exists(out("obj") / "frame_000000.obj"));
  EXPECT_TRUE(fs::exists(out("obj") / "frame_000003.obj"));
  EXPECT_EQ(entry_count(out("obj")), 3 + 1);
  EXPECT_NE(error({.format = "obj", .out = out("x"), .first = 9}).find("it has frames 0 to 4"),
            std::string::npos);
  EXPECT_NE(error({.format = "obj", .out = out("x"), .object = "flagg"}).find("no object \"flagg\""),
            std::string::npos);
  EXPECT_NE(error({.format = "doc", .out = out("x")}).find("unknown export format \"doc\"; use \"obj\""),
            std::string::npos);
  EXPECT_FALSE(fs::exists(out("x")));
}

TEST_F(Export, AgainReplacesOnlyItsOwnFiles) {
  ASSERT_EQ(error({.format = "obj", .out = out("obj")}), "");
  std::ofstream(out("obj") / "notes.txt") << "mine";
  ASSERT_EQ(error({.format = "obj", .out = out("obj"), .last = 1}), "");
  EXPECT_TRUE(fs::exists(out("obj") / "notes.txt"));
  EXPECT_EQ(entry_count(out("obj")), 2 + 1 + 1);
  EXPECT_NE(error({.format = "ply", .out = out("obj")}).find("holds an export of format \"obj\""),
            std::string::npos);
}

TEST_F(Export, ForeignThingsAreNotOverwritten) {
  fs::create_directories(out("mine"));
  std::ofstream(out("mine") / "frame_000000.obj") << "precious";
  std::ofstream(out("mine.glb")) << "precious";
  EXPECT_NE(error({.format = "obj", .out = out("mine")}).find("is not empty"), std::string::npos);
  EXPECT_NE(error({.format = "gltf", .out = out("mine")}).find("mine.glb: error: exists"), std::string::npos);
  EXPECT_NE(error({.format = "gltf", .out = out("mine.glb")}).find("mine.glb: error: exists"),
            std::string::npos);
  EXPECT_EQ(*read_file(out("mine") / "frame_000000.obj"), "precious");
  EXPECT_EQ(*read_file(out("mine.glb")), "precious");
  EXPECT_EQ(error({.format = "gltf", .out = out("mine.glb"), .overwrite = true}), "");
  EXPECT_EQ(error({.format = "gltf", .out = out("mine.glb")}), "");
  EXPECT_EQ(error({.format = "obj", .out = out("mine"), .overwrite = true}), "");
}

TEST_F(Export, AListCannotNameFilesElsewhere) {
  fs::create_directories(out("obj"));
  std::ofstream(out("obj") / "heddle-export.json")
      << R"({"written_by": "Heddle", "format": "obj", "files": ["../victim", "a/b", "..", 7]})";
  std::ofstream(out("victim")) << "precious";
  ASSERT_EQ(error({.format = "obj", .out = out("obj")}), "");
  EXPECT_TRUE(fs::exists(out("victim")));
}

TEST_F(Export, BrokenRunsWriteNothing) {
  Snapshot exploded = sample_snapshot(3);
  exploded.objects[2].positions[1].x() = std::nanf("");
  ASSERT_TRUE(write_snapshot(RunFolder(out("run")).frame(3), exploded));
  for (const ExportFormat& format : export_formats()) {
    const std::string message = error({.format = format.name, .out = out("x")});
    EXPECT_NE(message.find("000003.snap: error: object \"scarf\" holds numbers that are not finite"),
              std::string::npos);
    EXPECT_EQ(error({.format = format.name, .out = out("before_" + format.name), .last = 2}), "");
  }
  std::ofstream(RunFolder(out("run")).frame(3)) << "HEDDLESN";
  EXPECT_NE(error({.format = "usd", .out = out("x")}).find("truncated"), std::string::npos);
  EXPECT_EQ(entry_count(folder_.path), 1 + static_cast<int>(export_formats().size()));
}

TEST_F(Export, OneFrameAndMissingArraysSuffice) {
  SnapshotModel model = sample_model();
  model.materials.clear();
  for (SnapshotObject& object : model.objects) {
    object.face_material.clear();
    object.uv.clear();
  }
  model.objects[1].triangles.clear();
  Snapshot snapshot = sample_snapshot(0);
  for (SnapshotObjectFrame& object : snapshot.objects) {
    object.velocities.clear();
    object.strains.clear();
  }
  fs::remove_all(out("run"));
  ASSERT_TRUE(write_model(RunFolder(out("run")).model(), model));
  ASSERT_TRUE(write_snapshot(RunFolder(out("run")).frame(0), snapshot));
  for (const ExportFormat& format : export_formats())
    EXPECT_EQ(error({.format = format.name, .out = out(format.name)}), "");
  EXPECT_EQ(assimp_corners(out("gltf.glb")).size(), 3u * (32 + 8 + 8));
}

TEST_F(Export, FormatsAreListed) {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats()) {
    names.push_back(format.name);
    EXPECT_TRUE(format.doc.ends_with('.') && format.extension.starts_with('.'));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"obj", "ply", "pc2", "vtk", "gltf", "usd"}));
}

}  // namespace
}  // namespace heddle
