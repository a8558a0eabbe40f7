#include "temporary_folder.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/mesh_collector.h>
#include <heddle/io/mesh_file.h>

#include <random>

namespace heddle {
namespace {

std::string obj_error(std::string_view text) {
  const Result<TriangleMesh> mesh = read_obj_text(text, "a.obj");
  return mesh ? "" : mesh.errors().text();
}

constexpr const char* kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(ObjReader, AllIndexForms) {
  const std::string head = std::string(kSquare) + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n";
  for (const char* face : {"f 1/1 2/2 3/3 4/4", "f 1/1/1 2/2/1 3/3/1 4/4/1", "f -4/-4 -3/-3 -2/-2 -1/-1",
                           "f 1/1 2/2 \\\n 3/3 4/4", "f\t1/1  2/2 3/3 4/4 \r"}) {
    const Result<TriangleMesh> mesh = read_obj_text(head + face, "a.obj");
    ASSERT_TRUE(mesh) << face << mesh.errors().text();
    EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}})) << face;
    EXPECT_EQ(mesh->uv, (std::vector<Vec2>{{0, 0}, {1, 0}, {1, 1}, {0, 1}})) << face;
  }
  const Result<TriangleMesh> no_uv = read_obj_text(head + "f 1//1 2//1 3//1", "a.obj");
  ASSERT_TRUE(no_uv);
  EXPECT_TRUE(no_uv->uv.empty());
  EXPECT_EQ(no_uv->positions[2], Vec3(1, 1, 0));
}

TEST(ObjReader, GroupsObjectsAndMaterials) {
  const std::string text = std::string("# by hand\no shirt\n") + kSquare +
                           "g left sleeve\nusemtl red\nf 1 2 3 # first\ng\nusemtl blue jeans\nf 1 3 4\n";
  const Result<TriangleMesh> mesh = read_obj_text(text, "a.obj");
  ASSERT_TRUE(mesh) << mesh.errors().text();
  const std::map<std::string, std::vector<int>> expected{
      {"shirt", {0, 1}}, {"left", {0}}, {"sleeve", {0}}, {"red", {0}}, {"blue jeans", {1}}};
  EXPECT_EQ(mesh->face_groups, expected);
}

TEST(ObjReader, FacesKeepTheirCoordinatesAtSeams) {
  const std::string text =
      std::string(kSquare) + "vt 0 0\nvt 1 0\nvt 1 1\nvt 5 5\nf 1/1 2/2 3/3\nf 1/1 3/4 4/2\n";
  Diagnostics warnings;
  const Result<TriangleMesh> mesh = read_obj_text(text, "a.obj", &warnings);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->vertex_count(), 4);
  EXPECT_EQ(mesh->uv[2], Vec2(1, 1));
  EXPECT_EQ(mesh->face_uv(0), (std::array<Vec2, 3>{Vec2(0, 0), Vec2(1, 0), Vec2(1, 1)}));
  EXPECT_EQ(mesh->face_uv(1), (std::array<Vec2, 3>{Vec2(0, 0), Vec2(5, 5), Vec2(1, 0)}));
  EXPECT_TRUE(warnings.empty()) << warnings.text();
}

TEST(ObjReader, OddFacesAreSkippedWithAWarning) {
  Diagnostics warnings;
  const Result<TriangleMesh> mesh =
      read_obj_text(std::string(kSquare) + "f 1 2 3\nf 1 1 2\n", "a.obj", &warnings);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->triangle_count(), 1);
  EXPECT_NE(warnings.text().find("1 triangle with repeated vertices was skipped"), std::string::npos);
  EXPECT_NE(warnings.text().find("1 vertex belongs to no face"), std::string::npos);
}

TEST(ObjReader, ErrorsNameTheLine) {
  EXPECT_EQ(obj_error("v 0 0 0\nv 1 x 0\n"), "a.obj:2: error: expected a finite number, found \"x\"\n");
  EXPECT_NE(obj_error("v 0 0 nan\n").find("a.obj:1: error: expected a finite number"), std::string::npos);
  EXPECT_NE(obj_error("v 0 0 1e999\n").find("a.obj:1"), std::string::npos);
  EXPECT_NE(obj_error("v 0 0\n").find("a.obj:1"), std::string::npos);
  EXPECT_NE(obj_error(std::string(kSquare) + "f 1 2 5\n")
                .find("a.obj:5: error: a face names vertex 5, but there are 4"),
            std::string::npos);
  EXPECT_NE(obj_error(std::string(kSquare) + "f 1 \\\n2 3\nf -5 1 2\n").find("a.obj:7"), std::string::npos);
  EXPECT_NE(obj_error(std::string(kSquare) + "f 0 1 2\n").find("found \"0\""), std::string::npos);
  EXPECT_NE(obj_error(std::string(kSquare) + "f 1/9 2/9 3/9\n").find("texture coordinate 9"),
            std::string::npos);
  EXPECT_NE(obj_error(std::string(kSquare) + "f 1 2\n").find("at least 3 corners"), std::string::npos);
  EXPECT_NE(obj_error(kSquare).find("holds no faces"), std::string::npos);
  // Every error of the file is reported at once.
  const std::string two = obj_error("v a 0 0\nv 0 b 0\n");
  EXPECT_EQ(std::ranges::count(two, '\n'), 2);
}

double area(std::span<const Vec3> corners, const std::vector<Triangle>& triangles) {
  double sum = 0;
  for (const Triangle& t : triangles) {
    const Vec3 &a = corners[static_cast<size_t>(t[0])], &b = corners[static_cast<size_t>(t[1])],
               &c = corners[static_cast<size_t>(t[2])];
    const double signed_area = (b - a).cross(c - a).z() / 2;
    EXPECT_GT(signed_area, 0);
    sum += signed_area;
  }
  return sum;
}

TEST(Triangulation, ConcavePolygonsAreCoveredOnce) {
  const std::vector<Vec3> arrow{{0, 0, 0}, {2, -1, 0}, {1, 0, 0}, {2, 1, 0}};
  EXPECT_NEAR(area(arrow, triangulate_polygon(arrow)), 1, 1e-12);
  const std::vector<Vec3> comb{{0, 0, 0}, {5, 0, 0}, {5, 3, 0}, {4, 1, 0},
                               {3, 3, 0}, {2, 1, 0}, {1, 3, 0}, {0, 1, 0}};
  const std::vector<Triangle> triangles = triangulate_polygon(comb);
  EXPECT_EQ(triangles.size(), 6u);
  EXPECT_NEAR(area(comb, triangles), 5 + 1 + 2 + 2, 1e-9);
}

template <class T>
void append(std::string& bytes, T value, bool big_endian) {
  std::string raw(reinterpret_cast<const char*>(&value), sizeof value);
  if (big_endian) std::reverse(raw.begin(), raw.end());
  bytes += raw;
}

std::string binary_ply(bool big_endian) {
  std::string bytes =
      std::string("ply\nformat binary_") + (big_endian ? "big" : "little") +
      "_endian 1.0\ncomment test\nelement vertex 4\nproperty float x\nproperty double y\n"
      "property short z\nproperty float s\nproperty float t\nproperty uchar red\n"
      "property float stiffness\nelement extra 1\nproperty list uint8 int8 junk\nelement face 1\n"
      "property list uchar int vertex_indices\nproperty uchar flag\nend_header\n";
  const float xs[] = {0, 1, 1, 0}, ys[] = {0, 0, 1, 1};
  for (int i = 0; i < 4; ++i) {
    append(bytes, xs[i], big_endian);
    append(bytes, static_cast<double>(ys[i]), big_endian);
    append(bytes, static_cast<std::int16_t>(-7), big_endian);
    append(bytes, xs[i] / 2, big_endian);
    append(bytes, ys[i] / 2, big_endian);
    append(bytes, static_cast<std::uint8_t>(51 * i), big_endian);
    append(bytes, 0.25f * static_cast<float>(i), big_endian);
  }
  bytes += std::string("\x02zz", 3);
  append(bytes, static_cast<std::uint8_t>(4), big_endian);
  for (int i = 0; i < 4; ++i) append(bytes, i, big_endian);
  bytes += '\x01';
  return bytes;
}

TEST(PlyReader, BinaryOfBothByteOrders) {
  for (const bool big_endian : {false, true}) {
    const Result<TriangleMesh> mesh = read_ply_bytes(binary_ply(big_endian), "a.ply");
    ASSERT_TRUE(mesh) << mesh.errors().text();
    EXPECT_EQ(mesh->positions, (std::vector<Vec3>{{0, 0, -7}, {1, 0, -7}, {1, 1, -7}, {0, 1, -7}}));
    EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(mesh->uv[2], Vec2(0.5, 0.5));
    EXPECT_EQ(mesh->vertex_scalars.size(), 2u);
    EXPECT_EQ(mesh->vertex_scalars.at("stiffness"), (std::vector<double>{0, 0.25, 0.5, 0.75}));
    EXPECT_NEAR(mesh->vertex_scalars.at("red")[3], 0.6, 1e-12);
  }
}

constexpr const char* kAsciiPly =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    "property float weight\nelement face 1\nproperty list uchar int vertex_index\n"
    "property list uchar float texcoord\nend_header\n0 0 0 1\n1 0 0 2\n0 1 0 3\n3 0 1 2 6 0 0 1 0 0 1\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string ply_error(const std::string& bytes) {
  const Result<TriangleMesh> mesh = read_ply_bytes(bytes, "a.ply");
  return mesh ? "" : mesh.errors().text();
}

TEST(PlyReader, Ascii) {
  const Result<TriangleMesh> mesh = read_ply_bytes(kAsciiPly, "a.ply");
  ASSERT_TRUE(mesh) << mesh.errors().text();
  EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_EQ(mesh->uv, (std::vector<Vec2>{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_EQ(mesh->vertex_scalars.at("weight"), (std::vector<double>{1, 2, 3}));
}

TEST(PlyReader, ErrorsNameTheLine) {
  EXPECT_NE(ply_error("solid cube").find("first line is not \"ply\""), std::string::npos);
  EXPECT_NE(ply_error(replaced(kAsciiPly, "1 0 0 2", "1 0 nan 2"))
                .find("a.ply:13: error: expected a finite number"),
            std::string::npos);
  EXPECT_NE(ply_error(replaced(kAsciiPly, "0 1 2 6", "0 1 7 6"))
                .find("vertex 7, but they are numbered from 0 to 2"),
            std::string::npos);
  EXPECT_NE(ply_error(replaced(kAsciiPly, "property float y", "property real y"))
                .find("a.ply:5: error: unknown type"),
            std::string::npos);
  EXPECT_NE(ply_error(replaced(kAsciiPly, "float z", "float height")).find("x, y and z"), std::string::npos);
}

TEST(PlyReader, HugeCountsAreRefusedBeforeAllocating) {
  const std::string huge = "18446744073709551615";
  EXPECT_NE(ply_error(replaced(kAsciiPly, "vertex 3", "vertex " + huge)).find("do not fit"),
            std::string::npos);
  EXPECT_NE(ply_error(replaced(kAsciiPly, "face 1", "face 4000000000")).find("do not fit"),
            std::string::npos);
  EXPECT_NE(ply_error(replaced(binary_ply(false), "vertex 4", "vertex 4000000000")).find("do not fit"),
            std::string::npos);
  EXPECT_NE(ply_error(replaced(kAsciiPly, "3 0 1 2", "4000000000 0 1 2")).find("ends too early"),
            std::string::npos);
}

TEST(MeshReaders, SurviveTruncationAndRandomChanges) {
  const std::string obj = std::string(kSquare) + "vt 0 0\nf 1/1 2/1 3/1 4/1\n";
  std::mt19937 random(5);
  for (const std::string& original : {obj, std::string(kAsciiPly), binary_ply(false), binary_ply(true)}) {
    for (size_t size = 0; size < original.size(); ++size) {
      (void)read_obj_text(std::string_view(original).substr(0, size), "a");
      const bool truncated = original.starts_with("ply") && size + 8 < original.size();
      const Result<TriangleMesh> part = read_ply_bytes(std::string_view(original).substr(0, size), "a");
      EXPECT_FALSE(truncated && part) << size;
    }
    for (int i = 0; i < 3000; ++i) {
      std::string changed = original;
      for (unsigned k = 0; k < 1 + random() % 4; ++k)
        changed[random() % changed.size()] = static_cast<char>(random());
      (void)read_obj_text(changed, "a");
      const Result<TriangleMesh> mesh = read_ply_bytes(changed, "a");
      if (!mesh) continue;
      for (const Triangle& t : mesh->triangles)
        for (const int v : t) ASSERT_TRUE(v >= 0 && v < mesh->vertex_count());
    }
  }
}

TEST(MeshImport, StlVerticesAreJoined) {
  const TemporaryFolder folder;
  const auto facet = [](const std::string& a, const std::string& b, const std::string& c) {
    return "facet normal 0 0 1\nouter loop\nvertex " + a + "\nvertex " + b + "\nvertex " + c +
           "\nendloop\nendfacet\n";
  };
  const std::string text =
      "solid s\n" + facet("0 0 0", "1 0 0", "1 1 0") + facet("0 0 0", "1 1 0", "0 1 0") + "endsolid s\n";
  ASSERT_TRUE(write_file_atomically(folder.path / "a.STL", text));
  const Result<TriangleMesh> mesh = import_mesh(folder.path / "a.STL");
  ASSERT_TRUE(mesh) << mesh.errors().text();
  EXPECT_EQ(mesh->vertex_count(), 4);
  EXPECT_EQ(mesh->triangle_count(), 2);
}

/// One triangle below a node that moves it by (10, 0, 0) and doubles it.
std::string gltf_text() {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
    "nodes":[{"name":"cape","translation":[10,0,0],"scale":[2,2,2],"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,)"
         "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAIA/"
         R"("}]})";
}

TEST(MeshImport, GltfIsTurnedToZUp) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path / "a.gltf", gltf_text()));
  const Result<TriangleMesh> mesh = import_mesh(folder.path / "a.gltf");
  ASSERT_TRUE(mesh) << mesh.errors().text();
  // In the file: (0,0,0), (1,0,0), (0,1,1).
  EXPECT_EQ(mesh->positions, (std::vector<Vec3>{{10, 0, 0}, {12, 0, 0}, {10, -2, 2}}));
  EXPECT_TRUE(mesh->face_groups.contains("cape"));
  const Result<TriangleMesh> as_is = make_mesh({.path = "a.gltf", .up = "z", .scale = 0.01}, folder.path);
  ASSERT_TRUE(as_is);
  EXPECT_NEAR((as_is->positions[2] - Vec3(0.1, 0.02, 0.02)).norm(), 0, 1e-12);
}

/// The square cut into two triangles with vertices and texture coordinates of their own, as glTF has seams:
/// (0,0), (1,0), (1,1) and (5,5), (6,6), (5,6), with v counted upwards.
std::string gltf_with_seam() {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1}}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
                 {"bufferView":1,"componentType":5126,"count":6,"type":"VEC2"}],
    "bufferViews":[{"buffer":0,"byteLength":72},{"buffer":0,"byteOffset":72,"byteLength":48}],
    "buffers":[{"byteLength":120,"uri":"data:application/octet-stream;base64,)"
         "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAgD8AAAAA"
         "AAAAAAAAgD8AAAAAAAAAAAAAgD8AAIA/AACAPwAAgD8AAAAAAACgQAAAgMAAAMBAAACgwAAAoEAAAKDA"
         R"("}]})";
}

TEST(MeshImport, GltfVerticesAreJoinedAcrossSeams) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path / "a.gltf", gltf_with_seam()));
  Diagnostics warnings;
  const Result<TriangleMesh> mesh = import_mesh(folder.path / "a.gltf", {.warnings = &warnings});
  ASSERT_TRUE(mesh) << mesh.errors().text();
  EXPECT_EQ(mesh->vertex_count(), 4);
  EXPECT_EQ(mesh->face_uv(0), (std::array<Vec2, 3>{Vec2(0, 0), Vec2(1, 0), Vec2(1, 1)}));
  EXPECT_EQ(mesh->face_uv(1), (std::array<Vec2, 3>{Vec2(5, 5), Vec2(6, 6), Vec2(5, 6)}));
  EXPECT_TRUE(warnings.empty()) << warnings.text();
}

TEST(PlyReader, FacesKeepTheirCoordinatesAtSeams) {
  const Result<TriangleMesh> mesh =
      read_ply_bytes(replaced(replaced(kAsciiPly, "face 1", "face 2"), "6 0 0 1 0 0 1",
                              "6 0 0 1 0 0 1\n3 2 1 0 6 5 5 6 5 5 6"),
                     "a.ply");
  ASSERT_TRUE(mesh) << mesh.errors().text();
  EXPECT_EQ(mesh->face_uv(0)[2], Vec2(0, 1));
  EXPECT_EQ(mesh->face_uv(1)[0], Vec2(5, 5));
}

TEST(MeshImport, BadFilesAreErrorsWithTheirName) {
  const TemporaryFolder folder;
  for (const char* name : {"a.glb", "a.gltf", "a.fbx", "a.stl", "a.ply", "a.obj", "a.dae"}) {
    ASSERT_TRUE(write_file_atomically(folder.path / name, "random \x01\x02 bytes"));
    const Result<TriangleMesh> mesh = import_mesh(folder.path / name);
    ASSERT_FALSE(mesh) << name;
    EXPECT_NE(mesh.errors().text().find(name), std::string::npos);
  }
  ASSERT_TRUE(write_file_atomically(folder.path / "a.xyzzy", "x"));
  EXPECT_NE(import_mesh(folder.path / "a.xyzzy").errors().text().find("unknown kind"), std::string::npos);
  EXPECT_NE(import_mesh(folder.path / "none.obj").errors().text().find("No such file"), std::string::npos);
}

TEST(MeshFile, IsDescribed) {
  const TypeDescription& type = description_of<MeshFile>();
  EXPECT_EQ(type.category, "mesh");
  EXPECT_EQ(type.name, "file");
  EXPECT_TRUE(type.find("path")->options.required && type.find("path")->options.path);
  EXPECT_EQ(type.find("up")->default_text, "\"auto\"");
  EXPECT_EQ(type.find("scale")->default_text, "1");
}

}  // namespace
}  // namespace heddle
