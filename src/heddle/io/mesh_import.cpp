#include <heddle/io/assimp_reader.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/mesh_import.h>

#include <algorithm>
#include <cctype>

namespace heddle {
namespace {

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

Result<TriangleMesh> read_any(const std::filesystem::path& file, Diagnostics* warnings) {
  // Opening it first gives missing files the same message for all formats.
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  const std::string extension = lower_extension(file);
  if (extension == ".obj") return read_obj_text(*bytes, file.string(), warnings);
  if (extension == ".ply") return read_ply_bytes(*bytes, file.string(), warnings);
  return read_with_assimp(file, warnings);
}

bool is_y_up(const std::filesystem::path& file, UpAxis up) {
  if (up != UpAxis::automatic) return up == UpAxis::y;
  const std::string extension = lower_extension(file);
  return extension == ".gltf" || extension == ".glb";
}

}  // namespace

Result<TriangleMesh> import_mesh(const std::filesystem::path& file, const MeshImportOptions& options) {
  Result<TriangleMesh> mesh = read_any(file, options.warnings);
  if (mesh && is_y_up(file, options.up))
    for (Vec3& x : mesh->positions) x = Vec3(x.x(), -x.z(), x.y());
  return mesh;
}

}  // namespace heddle
