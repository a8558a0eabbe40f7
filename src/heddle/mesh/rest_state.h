#pragma once

#include <heddle/core/result.h>
#include <heddle/mesh/topology.h>
#include <heddle/mesh/triangle_mesh.h>

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heddle {

/// Where the unstressed shape of a cloth comes from.
///   automatic  flat if the mesh is planar, else shape
///   uv         the texture coordinates, in m: flat panels that were sewn; hinges are flat at rest
///   flat       the planar mesh itself; hinges are flat at rest
///   shape      the mesh as it is, curved or not: faces keep their size, hinges their angles
enum class RestSource { automatic, uv, flat, shape };

/// "auto", "uv", "flat" or "shape"; empty for another word.
std::optional<RestSource> rest_source_from(std::string_view word);

/// Undeformed triangles in 2D. A curved shape has no common chart, so every face has its own: x is the weft
/// direction, y the warp, the origin means nothing, and corners run counter-clockwise.
struct RestState {
  RestSource source = RestSource::flat;        // what was used; never automatic
  std::vector<std::array<Vec2, 3>> triangles;  // m
  std::vector<double> area;                    // m^2, above zero
};

/// Weft before the rotation: for `uv` the u axis; else the direction in which u grows if the mesh has texture
/// coordinates, and without them the x axis laid into the face (the y axis where x is nearly normal to it).
/// For `flat` it is one direction for all faces. `weft_angle` turns it, counter-clockwise seen from the
/// front, rad: one value per face, or none. Faces that are mirrored in uv are mirrored back (v -> -v). Fails
/// if the mesh lacks what the source needs or a rest triangle has no area.
Result<RestState> make_rest_state(const TriangleMesh& mesh, RestSource source,
                                  std::span<const double> weft_angle = {});

/// Do all vertices lie in one plane (to 1e-9 of the size of the mesh) and all faces look to the same side?
bool is_flat(const TriangleMesh& mesh);

/// A corner seen from the opposite edge of its face at rest, m. Unfolding a face about an edge keeps these.
struct Wing {
  double along;   // from the start of the edge
  double across;  // from the line of the edge, above zero
  double length;  // of the edge
};
/// `from` and `to` are the vertices of an edge of the face.
Wing wing_at_rest(const RestState& rest, std::span<const Triangle> triangles, int face, int from, int to);

/// Angles at which hinges are at rest, rad: those of the mesh for `shape`, else zero.
std::vector<double> rest_hinge_angles(const TriangleMesh& mesh, RestSource used,
                                      std::span<const Hinge> hinges);

}  // namespace heddle
