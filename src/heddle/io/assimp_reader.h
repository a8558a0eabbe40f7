#pragma once

#include <heddle/core/result.h>
#include <heddle/mesh/curves.h>
#include <heddle/mesh/triangle_mesh.h>

#include <filesystem>

struct aiScene;
namespace Assimp {
class Importer;
}

namespace heddle {

/// The scene in a file, which the importer owns.
Result<const aiScene*> open_with_assimp(const std::filesystem::path& file, Assimp::Importer& importer);

/// All meshes of a file in one, in the file's own axes, with the transforms of its nodes applied and vertices
/// at equal positions joined. Nodes, meshes and materials become face groups.
Result<TriangleMesh> read_with_assimp(const std::filesystem::path& file, Diagnostics* warnings);

/// All lines of a file in one net, in the file's own axes, with the transforms of its nodes applied and
/// points at equal positions joined.
Result<CurveNet> read_lines_with_assimp(const std::filesystem::path& file);

}  // namespace heddle
