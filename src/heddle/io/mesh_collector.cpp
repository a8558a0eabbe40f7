#include <heddle/core/text.h>
#include <heddle/io/mesh_collector.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heddle {
namespace {

constexpr double kSameUv = 1e-9;
constexpr size_t kLargestEarClipped = 64;  // corners; clipping takes cubic time at worst

/// Newell's normal, which is right for concave and slightly bent polygons.
Vec3 polygon_normal(std::span<const Vec3> corners) {
  Vec3 normal = Vec3::Zero();
  for (size_t i = 0; i < corners.size(); ++i)
    normal += (corners[i] - corners[0]).cross(corners[(i + 1) % corners.size()] - corners[0]);
  return normal;
}

double turn(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal) {
  return (b - a).cross(c - b).dot(normal);
}

bool is_inside(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal) {
  return turn(a, b, p, normal) >= 0 && turn(b, c, p, normal) >= 0 && turn(c, a, p, normal) >= 0;
}

bool is_ear(std::span<const Vec3> corners, const std::vector<int>& ring, size_t at, const Vec3& normal) {
  const size_t count = ring.size();
  const auto corner = [&](size_t i) { return corners[static_cast<size_t>(ring[i % count])]; };
  const Vec3 a = corner(at + count - 1), b = corner(at), c = corner(at + 1);
  if (turn(a, b, c, normal) <= 0) return false;
  for (size_t i = 2; i + 1 < count; ++i)
    if (is_inside(corner(at + i), a, b, c, normal)) return false;
  return true;
}

std::vector<Triangle> fan(size_t count) {
  std::vector<Triangle> triangles;
  for (int i = 2; i < static_cast<int>(count); ++i) triangles.push_back({0, i - 1, i});
  return triangles;
}

bool is_convex(std::span<const Vec3> corners, const Vec3& normal) {
  const size_t count = corners.size();
  for (size_t i = 0; i < count; ++i)
    if (turn(corners[i], corners[(i + 1) % count], corners[(i + 2) % count], normal) < 0) return false;
  return true;
}

}  // namespace

std::vector<Triangle> triangulate_polygon(std::span<const Vec3> corners) {
  const Vec3 normal = polygon_normal(corners);
  if (corners.size() < 4 || corners.size() > kLargestEarClipped || is_convex(corners, normal))
    return fan(corners.size());
  std::vector<int> ring(corners.size());
  std::iota(ring.begin(), ring.end(), 0);
  std::vector<Triangle> triangles;
  while (ring.size() > 2) {
    size_t ear = 0;
    while (ear < ring.size() && !is_ear(corners, ring, ear, normal)) ++ear;
    if (ear == ring.size()) return fan(corners.size());  // it crosses itself: no cut is right
    const size_t count = ring.size();
    triangles.push_back({ring[(ear + count - 1) % count], ring[ear], ring[(ear + 1) % count]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  return triangles;
}

std::string MeshCollector::add_polygon(std::span<const int> corners, std::span<const Vec2> uvs,
                                       const std::vector<std::string>& groups) {
  if (corners.size() < 3)
    return fmt::format("a face needs at least 3 corners, this one has {}", corners.size());
  std::vector<Vec3> points;
  for (const int corner : corners) {
    if (corner < 0 || corner >= mesh.vertex_count())
      return fmt::format("a face names vertex {}, but they are numbered from 0 to {}", corner,
                         mesh.vertex_count() - 1);
    points.push_back(mesh.positions[static_cast<size_t>(corner)]);
  }
  for (size_t i = 0; i < uvs.size(); ++i) set_uv(corners[i], uvs[i]);
  for (const Triangle& local : triangulate_polygon(points)) {
    Triangle triangle;
    std::optional<std::array<Vec2, 3>> uv;
    if (!uvs.empty()) uv.emplace();
    for (size_t k = 0; k < 3; ++k) {
      triangle[k] = corners[static_cast<size_t>(local[k])];
      if (uv) (*uv)[k] = uvs[static_cast<size_t>(local[k])];
    }
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) {
      ++skipped_faces_;
      continue;
    }
    for (const std::string& group : groups) mesh.face_groups[group].push_back(mesh.triangle_count());
    mesh.triangles.push_back(triangle);
    corner_uv_.push_back(uv);
  }
  return {};
}

void MeshCollector::set_uv(int vertex, const Vec2& uv) {
  mesh.uv.resize(mesh.positions.size(), Vec2::Zero());
  has_uv_.resize(mesh.positions.size(), 0);
  const size_t i = static_cast<size_t>(vertex);
  if (has_uv_[i] && (mesh.uv[i] - uv).cwiseAbs().maxCoeff() > kSameUv) has_seams_ = true;
  if (has_uv_[i]) return;
  mesh.uv[i] = uv;
  has_uv_[i] = 1;
}

Result<TriangleMesh> MeshCollector::finish(Diagnostics* warnings) {
  if (mesh.triangles.empty())
    return failure({file_}, "holds no faces", "export the surface as triangles or polygons");
  drop_incomplete_uv(warnings);
  if (has_seams_ && !mesh.uv.empty()) keep_seams();
  if (warnings) warn(*warnings);
  return std::move(mesh);
}

void MeshCollector::drop_incomplete_uv(Diagnostics* warnings) {
  if (has_uv_.empty()) return;
  mesh.uv.resize(mesh.positions.size(), Vec2::Zero());
  has_uv_.resize(mesh.positions.size(), 0);
  for (const Triangle& triangle : mesh.triangles)
    for (const int vertex : triangle)
      if (!has_uv_[static_cast<size_t>(vertex)]) {
        mesh.uv.clear();
        if (warnings)
          warnings->warning({file_}, "only some faces have texture coordinates; all were dropped");
        return;
      }
}

/// Faces without texture coordinates have those that other faces gave to their vertices.
void MeshCollector::keep_seams() {
  for (int face = 0; face < mesh.triangle_count(); ++face) {
    const auto& own = corner_uv_[static_cast<size_t>(face)];
    const Triangle& t = mesh.triangles[static_cast<size_t>(face)];
    const auto of = [&](int vertex) { return mesh.uv[static_cast<size_t>(vertex)]; };
    mesh.corner_uv.push_back(own ? *own : std::array<Vec2, 3>{of(t[0]), of(t[1]), of(t[2])});
  }
}

void MeshCollector::warn(Diagnostics& warnings) const {
  std::vector<char> used(mesh.positions.size(), 0);
  for (const Triangle& triangle : mesh.triangles)
    for (const int vertex : triangle) used[static_cast<size_t>(vertex)] = 1;
  const auto loose = std::count(used.begin(), used.end(), 0);
  if (skipped_faces_ > 0)
    warnings.warning({file_}, counted(skipped_faces_, "triangle with repeated vertices was",
                                      "triangles with repeated vertices were") +
                                  " skipped");
  if (loose > 0)
    warnings.warning({file_}, counted(loose, "vertex belongs", "vertices belong") + " to no face");
}

}  // namespace heddle
