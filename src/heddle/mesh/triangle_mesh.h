#pragma once

#include <heddle/math/types.h>

#include <map>
#include <string>
#include <vector>

namespace heddle {

/// A surface of triangles as it comes from a generator or a file.
struct TriangleMesh {
  std::vector<Vec3> positions;  // m
  std::vector<Triangle> triangles;
  std::vector<Vec2> uv;                                       // per vertex; empty if the source had none
  std::map<std::string, std::vector<int>> face_groups;        // names of regions -> faces
  std::map<std::string, std::vector<double>> vertex_scalars;  // painted attributes, e.g. from PLY
  bool flat = false;  // made flat: positions are its own 2D rest shape

  int vertex_count() const { return static_cast<int>(positions.size()); }
  int triangle_count() const { return static_cast<int>(triangles.size()); }
};

}  // namespace heddle
