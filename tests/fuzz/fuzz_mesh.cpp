// Feeds arbitrary bytes to every reader of io that Heddle wrote itself.
#include <heddle/io/mesh_import.h>
#include <heddle/io/snapshot_codec.h>

namespace {

void check_indices(const heddle::Result<heddle::TriangleMesh>& mesh) {
  if (!mesh) return;
  for (const heddle::Triangle& triangle : mesh->triangles)
    for (const int vertex : triangle) HEDDLE_CHECK(vertex >= 0 && vertex < mesh->vertex_count());
  HEDDLE_CHECK(mesh->uv.empty() || mesh->uv.size() == mesh->positions.size());
}

/// Random bytes never have the right checksum, so it is put in for them.
std::string sealed(std::string_view bytes) {
  std::string file(bytes);
  if (file.size() < 32) return file;
  std::uint64_t hash = 14695981039346656037ull;
  for (size_t i = 0; i + 8 < file.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(file[i])) * 1099511628211ull;
  for (size_t i = 0; i < 8; ++i) file[file.size() - 8 + i] = static_cast<char>(hash >> (8 * i));
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  heddle::Diagnostics warnings;
  check_indices(heddle::read_obj_text(bytes, "fuzz.obj", &warnings));
  check_indices(heddle::read_ply_bytes(bytes, "fuzz.ply", &warnings));
  (void)heddle::decode_model(sealed(bytes), "fuzz.snap");
  (void)heddle::decode_snapshot(sealed(bytes), "fuzz.snap");
  return 0;
}
