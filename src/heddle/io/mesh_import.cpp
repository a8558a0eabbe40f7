#include <heddle/io/assimp_reader.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/mesh_import.h>

#include <nlohmann/json.hpp>

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

/// By the names as they stand, which is how assimp opens them.
std::vector<std::filesystem::path> gltf_buffers(const std::filesystem::path& file) {
  std::vector<std::filesystem::path> buffers;
  const Result<std::string> text = read_file(file);
  if (!text) return buffers;
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("buffers")) return buffers;
  for (const auto& buffer : json["buffers"]) {
    if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) continue;
    const auto& uri = buffer["uri"].get_ref<const std::string&>();
    if (!uri.starts_with("data:")) buffers.push_back(file.parent_path() / uri);
  }
  return buffers;
}

}  // namespace

bool is_y_up(const std::filesystem::path& file, UpAxis up) {
  if (up != UpAxis::automatic) return up == UpAxis::y;
  const std::string extension = lower_extension(file);
  return extension == ".gltf" || extension == ".glb";
}

UpAxis up_axis(const std::string& word) {
  return word == "y" ? UpAxis::y : word == "z" ? UpAxis::z : UpAxis::automatic;
}

Result<TriangleMesh> import_mesh(const std::filesystem::path& file, const MeshImportOptions& options) {
  Result<TriangleMesh> mesh = read_any(file, options.warnings);
  if (mesh && is_y_up(file, options.up))
    for (Vec3& x : mesh->positions) x = turned_up(x);
  return mesh;
}

std::vector<std::filesystem::path> mesh_files(const std::filesystem::path& file) {
  std::vector<std::filesystem::path> files{file};
  if (lower_extension(file) == ".gltf")
    for (std::filesystem::path& buffer : gltf_buffers(file)) files.push_back(std::move(buffer));
  return files;
}

}  // namespace heddle
