#pragma once

#include <heddle/core/result.h>
#include <heddle/mesh/triangle_mesh.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// Where the mesh readers put what they find; it triangulates, checks indices and counts what it had to leave
/// out.
class MeshCollector {
 public:
  explicit MeshCollector(std::string file) : file_(std::move(file)) {}

  void add_vertex(const Vec3& position) { mesh.positions.push_back(position); }
  /// `uvs` is empty or has one entry per corner. `groups` name the regions the face belongs to.
  /// An empty text is success, otherwise what is wrong with the face.
  std::string add_polygon(std::span<const int> corners, std::span<const Vec2> uvs,
                          const std::vector<std::string>& groups);
  /// The finished mesh; an error if there is no face in it.
  Result<TriangleMesh> finish(Diagnostics* warnings);

  TriangleMesh mesh;

 private:
  void set_uv(int vertex, const Vec2& uv);
  void keep_seams();
  void drop_incomplete_uv(Diagnostics* warnings);
  void warn(Diagnostics& warnings) const;

  std::string file_;
  std::vector<char> has_uv_;
  std::vector<std::optional<std::array<Vec2, 3>>> corner_uv_;  // per face, as far as they are given
  int skipped_faces_ = 0;
  bool has_seams_ = false;
};

/// Triangles (as corners of the polygon) that cover it; concave polygons of moderate size are cut at their
/// ears, all others as a fan.
std::vector<Triangle> triangulate_polygon(std::span<const Vec3> corners);

}  // namespace heddle
