#pragma once

#include <heddle/core/describe.h>
#include <heddle/io/mesh_import.h>

#include <string>

namespace heddle {

/// A mesh that a scene takes from a file: {"type": "file", "path": "shirt.obj"}.
struct MeshFile {
  std::string path;         // relative to the scene's folder
  std::string up = "auto";  // auto, y, z
  double scale = 1;         // m per unit of the file

  static void describe(Describer<MeshFile>& d);
};

/// `warnings` receives what the import changed or dropped; may be null.
Result<TriangleMesh> make_mesh(const MeshFile& description, const std::filesystem::path& base_folder,
                               Diagnostics* warnings = nullptr);

}  // namespace heddle
