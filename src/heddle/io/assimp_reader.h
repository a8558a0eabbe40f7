#pragma once

#include <heddle/core/result.h>
#include <heddle/mesh/triangle_mesh.h>

#include <filesystem>

namespace heddle {

/// All meshes of a file in one, in the file's own axes, with the transforms of its nodes applied and vertices
/// at equal positions joined. Nodes, meshes and materials become face groups.
Result<TriangleMesh> read_with_assimp(const std::filesystem::path& file, Diagnostics* warnings);

}  // namespace heddle
