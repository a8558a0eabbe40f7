#include <heddle/geometry/triangle.h>
#include <heddle/mesh/measures.h>
#include <heddle/mesh/rest_state.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

constexpr double kPlanarity = 1e-9;
// Height over longest edge below which a triangle counts as having no area.
constexpr double kThinnest = 1e-9;

size_t at(int i) {
  return static_cast<size_t>(i);
}

const Vec3& corner(const TriangleMesh& mesh, int face, size_t i) {
  return mesh.positions[at(mesh.triangles[at(face)][i])];
}

Vec3 twice_area(const TriangleMesh& mesh, int face) {
  return area_vector_twice(corner(mesh, face, 0), corner(mesh, face, 1), corner(mesh, face, 2));
}

/// Normal of the plane of a planar mesh: the mean, with all faces turned to the side of the largest one, so
/// that rounding errors of small faces do not count.
Vec3 mean_normal(const TriangleMesh& mesh) {
  Vec3 largest = Vec3::Zero(), sum = Vec3::Zero();
  for (int face = 0; face < mesh.triangle_count(); ++face) {
    const Vec3 normal = twice_area(mesh, face);
    if (normal.squaredNorm() > largest.squaredNorm()) largest = normal;
  }
  for (int face = 0; face < mesh.triangle_count(); ++face) {
    const Vec3 normal = twice_area(mesh, face);
    sum += normal.dot(largest) < 0 ? Vec3(-normal) : normal;
  }
  return sum.normalized();
}

/// Gradient of the texture coordinate u in the plane of the face; zero if uv has no area there.
Vec3 gradient_of_u(const TriangleMesh& mesh, int face) {
  const std::array<Vec2, 3> uv = mesh.face_uv(face);
  const Vec3 normal = twice_area(mesh, face);
  const double scale = normal.squaredNorm();
  if (scale == 0) return Vec3::Zero();
  Vec3 gradient = Vec3::Zero();
  for (size_t i = 0; i < 3; ++i) {
    const Vec3 opposite = corner(mesh, face, (i + 2) % 3) - corner(mesh, face, (i + 1) % 3);
    gradient += uv[i].x() * normal.cross(opposite) / scale;
  }
  return gradient;
}

/// Unit vector in the plane along `wanted`, or else along x, or else (x nearly normal to the plane) along y.
Vec3 direction_in_plane(const Vec3& normal, const Vec3& wanted) {
  const Vec3 projected = wanted - wanted.dot(normal) * normal;
  const double length = projected.norm();
  if (length > 1e-9 * wanted.norm()) return projected / length;
  const Vec3 axis = std::abs(normal.x()) < 0.99 ? Vec3::UnitX() : Vec3::UnitY();
  return (axis - axis.dot(normal) * normal).normalized();
}

struct Frame {
  Vec3 x, y;
  Vec2 coordinates(const Vec3& v) const { return {v.dot(x), v.dot(y)}; }
};

Frame make_frame(const Vec3& normal, const Vec3& wanted) {
  const Vec3 x = direction_in_plane(normal, wanted);
  return {x, normal.cross(x)};
}

std::array<Vec2, 3> chart_in_frame(const TriangleMesh& mesh, int face, const Frame& frame) {
  const Vec3& origin = corner(mesh, face, 0);
  return {Vec2::Zero(), frame.coordinates(corner(mesh, face, 1) - origin),
          frame.coordinates(corner(mesh, face, 2) - origin)};
}

std::array<Vec2, 3> chart_from_uv(const TriangleMesh& mesh, int face) {
  std::array<Vec2, 3> chart = mesh.face_uv(face);
  if (triangle_area(chart[0], chart[1], chart[2]) < 0)
    for (Vec2& point : chart) point.y() = -point.y();
  return chart;
}

Frame flat_frame(const TriangleMesh& mesh) {
  Vec3 weft = Vec3::Zero();
  if (!mesh.uv.empty())
    for (int face = 0; face < mesh.triangle_count(); ++face)
      weft += twice_area(mesh, face).norm() * gradient_of_u(mesh, face);
  return make_frame(mean_normal(mesh), weft);
}

/// Undoes the rotation of the weft so that it becomes the x axis.
void turn_to_weft(std::array<Vec2, 3>& chart, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  for (Vec2& p : chart) p = Vec2(c * p.x() + s * p.y(), c * p.y() - s * p.x());
}

bool has_area(const std::array<Vec2, 3>& chart, double area) {
  double longest2 = 0;
  for (size_t i = 0; i < 3; ++i) longest2 = std::max(longest2, (chart[(i + 1) % 3] - chart[i]).squaredNorm());
  return 2 * area > kThinnest * longest2;  // false for NaN too
}

Diagnostics unsuitable(const TriangleMesh& mesh, RestSource source) {
  Diagnostics diagnostics;
  if (mesh.triangles.empty()) diagnostics.error({}, "a mesh without triangles has no rest state");
  if (source == RestSource::uv && mesh.uv.size() != mesh.positions.size())
    diagnostics.error({}, "rest \"uv\" needs texture coordinates, but the mesh has none",
                      "unwrap the mesh with coordinates in metres, or use rest \"shape\"");
  if (source == RestSource::flat && !is_flat(mesh))
    diagnostics.error({}, "rest \"flat\" needs a mesh in one plane, but this one is curved or folded",
                      "use rest \"uv\" for sewn panels or rest \"shape\" to keep the form it has");
  return diagnostics;
}

void compute_charts(const TriangleMesh& mesh, std::span<const double> weft_angle, RestState& rest) {
  const Frame flat = rest.source == RestSource::flat ? flat_frame(mesh) : Frame{};
  const bool use_uv = mesh.uv.size() == mesh.positions.size();
  parallel_for(mesh.triangle_count(), [&](int face) {
    std::array<Vec2, 3>& chart = rest.triangles[at(face)];
    if (rest.source == RestSource::uv) {
      chart = chart_from_uv(mesh, face);
    } else if (rest.source == RestSource::flat) {
      chart = chart_in_frame(mesh, face, flat);
    } else {
      const Vec3 weft = use_uv ? gradient_of_u(mesh, face) : Vec3::Zero();
      chart = chart_in_frame(mesh, face, make_frame(twice_area(mesh, face).normalized(), weft));
    }
    if (!weft_angle.empty()) turn_to_weft(chart, weft_angle[at(face)]);
    rest.area[at(face)] = triangle_area(chart[0], chart[1], chart[2]);
  });
}

}  // namespace

std::optional<RestSource> rest_source_from(std::string_view word) {
  if (word == "auto") return RestSource::automatic;
  if (word == "uv") return RestSource::uv;
  if (word == "flat") return RestSource::flat;
  if (word == "shape") return RestSource::shape;
  return {};
}

bool is_flat(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return false;
  const Vec3 normal = mean_normal(mesh);
  const Vec3& origin = corner(mesh, 0, 0);
  const double size = bounding_box(mesh.positions).diagonal().norm();
  for (int face = 0; face < mesh.triangle_count(); ++face) {
    for (size_t i = 0; i < 3; ++i)
      if (!(std::abs((corner(mesh, face, i) - origin).dot(normal)) <= kPlanarity * size)) return false;
    if (!(twice_area(mesh, face).dot(normal) > 0)) return false;
  }
  return true;
}

Result<RestState> make_rest_state(const TriangleMesh& mesh, RestSource source,
                                  std::span<const double> weft_angle) {
  HEDDLE_CHECK(weft_angle.empty() || weft_angle.size() == mesh.triangles.size());
  RestState rest;
  rest.source = source;
  if (source == RestSource::automatic) rest.source = is_flat(mesh) ? RestSource::flat : RestSource::shape;
  if (Diagnostics problems = unsuitable(mesh, rest.source); problems.has_errors()) return problems;
  rest.triangles.resize(mesh.triangles.size());
  rest.area.resize(mesh.triangles.size());
  compute_charts(mesh, weft_angle, rest);
  for (int face = 0; face < mesh.triangle_count(); ++face)
    if (!has_area(rest.triangles[at(face)], rest.area[at(face)]))
      return failure({}, "triangle " + std::to_string(face) + " (counted from 0) has no area at rest",
                     rest.source == RestSource::uv ? "repair the texture coordinates of that face"
                                                   : "merge or remove the degenerate faces of the mesh");
  return rest;
}

Wing wing_at_rest(const RestState& rest, std::span<const Triangle> triangles, int face, int from, int to) {
  const Triangle& triangle = triangles[at(face)];
  const auto place_of = [&](int vertex) {
    const auto found = std::find(triangle.begin(), triangle.end(), vertex);
    HEDDLE_CHECK(found != triangle.end());
    return rest.triangles[at(face)][static_cast<size_t>(found - triangle.begin())];
  };
  const Vec2 begin = place_of(from), edge = place_of(to) - begin;
  const Vec2 wing = place_of(opposite_vertex(triangle, from, to)) - begin;
  const double length = edge.norm();
  return {wing.dot(edge) / length, std::abs(edge[0] * wing[1] - edge[1] * wing[0]) / length, length};
}

std::vector<double> rest_hinge_angles(const TriangleMesh& mesh, RestSource used,
                                      std::span<const Hinge> hinges) {
  HEDDLE_CHECK(used != RestSource::automatic);
  if (used == RestSource::shape) return hinge_angles(mesh.positions, hinges);
  return std::vector<double>(hinges.size(), 0.0);
}

}  // namespace heddle
