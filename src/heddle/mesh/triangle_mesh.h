#pragma once

#include <heddle/math/types.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace heddle {

/// A surface of triangles as it comes from a generator or a file.
struct TriangleMesh {
  std::vector<Vec3> positions;  // m
  std::vector<Triangle> triangles;
  std::vector<Vec2> uv;  // per vertex; empty if the source had none
  /// Per face and corner where vertices have several texture coordinates (seams), else empty; `uv` then has
  /// those of one of the faces.
  std::vector<std::array<Vec2, 3>> corner_uv;
  std::map<std::string, std::vector<int>> face_groups;        // names of regions -> faces
  std::map<std::string, std::vector<double>> vertex_scalars;  // painted attributes, e.g. from PLY
  bool flat = false;  // made flat: positions are its own 2D rest shape
  /// Vertices along x and y if they are those of a regular grid and nothing else, row by row; else zero.
  std::array<int, 2> lattice{0, 0};

  /// Texture coordinates of the face's own corners; only if there are any.
  std::array<Vec2, 3> face_uv(int face) const {
    const auto f = static_cast<size_t>(face);
    if (!corner_uv.empty()) return corner_uv[f];
    const auto of = [&](size_t corner) { return uv[static_cast<size_t>(triangles[f][corner])]; };
    return {of(0), of(1), of(2)};
  }
  int vertex_count() const { return static_cast<int>(positions.size()); }
  int triangle_count() const { return static_cast<int>(triangles.size()); }
};

}  // namespace heddle
