#pragma once

#include <heddle/core/description.h>
#include <heddle/mesh/triangle_mesh.h>

#include <filesystem>
#include <optional>
#include <string>

namespace heddle {

/// The folder from which a part of a scene names its files.
std::filesystem::path folder_of(const SourceLocation& where);

/// The mesh that a scene asks for, generated or read; reports why there is none.
std::optional<TriangleMesh> load_mesh(const Entity& mesh, Diagnostics& diagnostics);

/// Passes on what was found in a file that a scene names, with the place in the scene first.
void append_at(const SourceLocation& where, const std::string& what, const Diagnostics& items,
               Diagnostics& out);

/// The messages of a check of that mesh; a generated mesh is mended in the scene, not in a modelling program.
/// `owner` is "cloth" or "obstacle".
Diagnostics with_remedy_for(const Entity& mesh, const std::string& owner, const Diagnostics& found);

}  // namespace heddle
