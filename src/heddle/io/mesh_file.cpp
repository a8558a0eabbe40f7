#include <heddle/io/mesh_file.h>

namespace heddle {

void MeshFile::describe(Describer<MeshFile>& d) {
  d.type("file", "mesh", "A triangle mesh from a file: OBJ, PLY, glTF, FBX, STL and what else assimp reads.");
  d.parameter("path", &MeshFile::path,
              {.unit = "", .doc = "The file, relative to the scene.", .required = true, .path = true});
  d.parameter("up", &MeshFile::up,
              {.unit = "",
               .doc = "Which axis of the file points up; auto means y for glTF and z for all others.",
               .choices = {"auto", "y", "z"}});
  d.parameter("scale", &MeshFile::scale,
              {.unit = "m", .doc = "Length of one unit of the file.", .minimum = 0, .above_minimum = true});
  d.validate([](const MeshFile& file, const SourceLocation& where, Diagnostics& diagnostics) {
    if (file.path.empty())
      diagnostics.error(where, "the \"path\" of the mesh names no file", "give the name of a mesh file");
  });
}

Result<TriangleMesh> make_mesh(const MeshFile& description, const std::filesystem::path& base_folder,
                               Diagnostics* warnings) {
  MeshImportOptions options;
  options.warnings = warnings;
  options.up = up_axis(description.up);
  Result<TriangleMesh> mesh = import_mesh(base_folder / description.path, options);
  if (mesh)
    for (Vec3& x : mesh->positions) x *= description.scale;
  return mesh;
}

}  // namespace heddle
