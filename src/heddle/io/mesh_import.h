#pragma once

#include <heddle/core/result.h>
#include <heddle/mesh/triangle_mesh.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Which axis of the file points up; "automatic" is y for glTF (.gltf, .glb), whose standard says so, z
/// otherwise.
enum class UpAxis { automatic, y, z };

struct MeshImportOptions {
  UpAxis up = UpAxis::automatic;
  /// Receives warnings: skipped faces, loose vertices. May be null.
  Diagnostics* warnings = nullptr;
};

/// Reads a surface: .obj and .ply with Heddle's own readers, everything else (glTF, FBX, STL, …) through
/// assimp. Heddle's z points up: files whose y does are turned, (x, y, z) becomes (x, -z, y). Polygons are
/// cut into triangles. A position is one vertex: assimp's duplicates at equal positions are joined, and where
/// several texture coordinates meet at a vertex (a seam), every face keeps its own. Faces with repeated
/// vertices are skipped. Errors name the file, and the line where there is one.
Result<TriangleMesh> import_mesh(const std::filesystem::path& file, const MeshImportOptions& options = {});

/// Whether y points up in a file of that name.
bool is_y_up(const std::filesystem::path& file, UpAxis up);
/// A point of a file whose y points up, with z up.
template <class Vector>
Vector turned_up(const Vector& x) {
  return Vector(x.x(), -x.z(), x.y());
}
/// "auto", "y" or "z", as scenes write it.
UpAxis up_axis(const std::string& word);

/// The files that a mesh comes from: `file` itself, and the buffers that a .gltf names.
std::vector<std::filesystem::path> mesh_files(const std::filesystem::path& file);

/// Wavefront OBJ from memory; `g`, `o` and `usemtl` become face groups. `name` is the file that errors name.
Result<TriangleMesh> read_obj_text(std::string_view text, const std::string& name,
                                   Diagnostics* warnings = nullptr);

/// PLY from memory, ASCII or binary of either byte order. Texture coordinates are (s, t), (u, v) or
/// (texture_u, texture_v) of vertices, or the `texcoord` list of faces; all other vertex properties become
/// vertex_scalars, with 8-bit red, green, blue and alpha scaled to [0, 1].
Result<TriangleMesh> read_ply_bytes(std::string_view bytes, const std::string& name,
                                    Diagnostics* warnings = nullptr);

}  // namespace heddle
