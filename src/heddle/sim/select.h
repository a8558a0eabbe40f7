#pragma once

#include <heddle/mesh/triangle_mesh.h>
#include <heddle/scene/scene_description.h>

#include <vector>

namespace heddle {

/// Vertices of the mesh (already placed in the world) that the selection names, ascending, each once.
/// Indices and groups that do not exist are reported at `where`.
std::vector<int> select_vertices(const Selection& selection, const TriangleMesh& placed,
                                 Diagnostics& diagnostics);
/// The same for faces; boxes and points refer to their centres.
std::vector<int> select_faces(const Selection& selection, const TriangleMesh& placed,
                              Diagnostics& diagnostics);

}  // namespace heddle
