#pragma once

#include <heddle/core/result.h>
#include <heddle/mesh/rest_state.h>
#include <heddle/mesh/triangle_mesh.h>

#include <string>

namespace heddle {

/// Looks for everything that makes a mesh unfit to be simulated. Errors: no triangles, indices out of range,
/// coordinates that are not finite, places beyond any scene, arrays of the wrong length, faces without area,
/// faces given twice, edges of more than two faces, neighbours of opposite orientation, vertices of no face.
/// Warnings: coincident vertices, vertices where parts meet without a common edge, a size that suggests
/// another unit than m. Each message gives the first offender, how many there are, and the remedy; elements
/// count from 0. `name` is the file or object shown with the messages.
Diagnostics check_mesh(const TriangleMesh& mesh, const std::string& name);

/// The same for a surface that only stands in the way. Errors: no triangles, indices out of range,
/// coordinates that are not finite, places beyond any scene. Warnings: faces without area, neighbours of
/// opposite orientation, a size that suggests another unit than m. Holes, loose vertices and edges of many
/// faces are fine.
Diagnostics check_obstacle_mesh(const TriangleMesh& mesh, const std::string& name);

/// Warns of a rest state that is probably not meant: an area far from that of the mesh (texture coordinates
/// that are not in m), very unequal or very thin triangles.
Diagnostics check_rest_state(const TriangleMesh& mesh, const RestState& rest, const std::string& name);

}  // namespace heddle
