#include <heddle/core/description.h>
#include <heddle/geometry/triangle.h>
#include <heddle/mesh/check.h>
#include <heddle/mesh/measures.h>
#include <heddle/mesh/topology.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <tuple>

namespace heddle {

namespace {

constexpr double kThinnest = 1e-9;    // height over longest edge
constexpr double kThinAtRest = 0.02;  // quality (2 r / R) of about 1 degree
constexpr double kLargest = 100.0;    // m
constexpr double kSmallest = 1e-3;    // m
constexpr double kAreaRatio = 1e4;    // largest over smallest rest triangle
constexpr double kUvAreaRatio = 4.0;  // rest area over area of the mesh, or the inverse

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::string rounded(double value) {
  std::ostringstream out;
  out.precision(3);
  out << value;
  return out.str();
}

/// Elements with the same fault: the first of them and their number.
struct Offenders {
  int first = -1;
  int count = 0;
  void add(int element) {
    if (count++ == 0) first = element;
  }
};

class Checker {
 public:
  Checker(const TriangleMesh& mesh, const std::string& name) : mesh_(mesh), where_{.file = name} {}

  Diagnostics run() {
    if (!check_content()) return diagnostics_;
    check_areas(Severity::error);
    check_duplicates();
    check_edges(Severity::error);
    check_vertices();
    if (!diagnostics_.has_errors()) check_fans();
    return diagnostics_;
  }

  Diagnostics run_obstacle() {
    if (!check_content()) return diagnostics_;
    check_areas(Severity::warning);
    check_edges(Severity::warning);
    return diagnostics_;
  }

 private:
  /// False if other findings would mean nothing.
  bool check_content() {
    if (mesh_.triangles.empty())
      diagnostics_.error(where_, "the mesh has no triangles", "export faces, not only points or edges");
    check_indices();
    check_coordinates();
    check_attributes();
    return !diagnostics_.has_errors() && check_size();
  }

  /// "triangle 5 names …; 3 such triangles" for the faults found, if any.
  void report(Severity severity, const Offenders& found, const std::string& kind, const std::string& fault,
              const std::string& remedy) {
    if (found.count == 0) return;
    std::string message = kind + " " + std::to_string(found.first) + " " + fault;
    if (found.count > 1) message += " (the first of " + std::to_string(found.count) + ")";
    severity == Severity::error ? diagnostics_.error(where_, message, remedy)
                                : diagnostics_.warning(where_, message, remedy);
  }

  void check_indices() {
    Offenders found;
    for (int face = 0; face < mesh_.triangle_count(); ++face)
      if (std::any_of(mesh_.triangles[at(face)].begin(), mesh_.triangles[at(face)].end(),
                      [&](int vertex) { return vertex < 0 || vertex >= mesh_.vertex_count(); }))
        found.add(face);
    report(Severity::error, found, "triangle",
           "names a vertex that does not exist; there are " + std::to_string(mesh_.vertex_count()),
           "the file is damaged or cut off: export it again");
  }

  void check_coordinates() {
    Offenders positions, uv, corners;
    for (int vertex = 0; vertex < mesh_.vertex_count(); ++vertex)
      if (!mesh_.positions[at(vertex)].allFinite()) positions.add(vertex);
    for (size_t vertex = 0; vertex < mesh_.uv.size(); ++vertex)
      if (!mesh_.uv[vertex].allFinite()) uv.add(static_cast<int>(vertex));
    report(Severity::error, positions, "vertex", "has a coordinate that is not a finite number",
           "export the mesh again");
    for (size_t face = 0; face < mesh_.corner_uv.size(); ++face)
      if (std::any_of(mesh_.corner_uv[face].begin(), mesh_.corner_uv[face].end(),
                      [](const Vec2& corner) { return !corner.allFinite(); }))
        corners.add(static_cast<int>(face));
    constexpr const char* kFault = "has a texture coordinate that is not a finite number";
    report(Severity::error, uv, "vertex", kFault, "unwrap the mesh again");
    if (uv.count == 0) report(Severity::error, corners, "triangle", kFault, "unwrap the mesh again");
  }

  void check_attributes() {
    const auto wrong_length = [&](const std::string& what, size_t size) {
      diagnostics_.error(where_,
                         what + " has " + std::to_string(size) + " values for " +
                             std::to_string(mesh_.vertex_count()) + " vertices",
                         "give one value per vertex");
    };
    if (!mesh_.uv.empty() && mesh_.uv.size() != mesh_.positions.size()) wrong_length("uv", mesh_.uv.size());
    if (!mesh_.corner_uv.empty() && mesh_.corner_uv.size() != mesh_.triangles.size())
      diagnostics_.error(where_,
                         "corner_uv has " + std::to_string(mesh_.corner_uv.size()) + " entries for " +
                             std::to_string(mesh_.triangle_count()) + " triangles",
                         "give one entry per triangle");
    for (const auto& [name, values] : mesh_.vertex_scalars)
      if (values.size() != mesh_.positions.size()) wrong_length("attribute \"" + name + "\"", values.size());
    for (const auto& [name, faces] : mesh_.face_groups)
      if (std::any_of(faces.begin(), faces.end(),
                      [&](int face) { return face < 0 || face >= mesh_.triangle_count(); }))
        diagnostics_.error(where_, "group \"" + name + "\" names a face that does not exist",
                           "there are " + std::to_string(mesh_.triangle_count()) + " faces");
  }

  void check_areas(Severity severity) {
    Offenders found;
    for (int face = 0; face < mesh_.triangle_count(); ++face) {
      const auto [a, b, c] = mesh_.triangles[at(face)];
      const Vec3 &x = mesh_.positions[at(a)], &y = mesh_.positions[at(b)], &z = mesh_.positions[at(c)];
      const double longest2 = std::max({(y - x).squaredNorm(), (z - y).squaredNorm(), (x - z).squaredNorm()});
      if (!(area_vector_twice(x, y, z).norm() > kThinnest * longest2)) found.add(face);
    }
    report(severity, found, "triangle", "has no area",
           "dissolve degenerate faces (Blender: Mesh > Clean Up > Degenerate Dissolve)");
  }

  /// Faces with the corners of an earlier one.
  std::vector<int> doubled_faces() const {
    std::vector<Triangle> sorted = mesh_.triangles;
    for (Triangle& t : sorted) std::sort(t.begin(), t.end());
    std::vector<int> order(sorted.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return sorted[at(a)] != sorted[at(b)] ? sorted[at(a)] < sorted[at(b)] : a < b;
    });
    std::vector<int> doubled;
    for (size_t i = 1; i < order.size(); ++i)
      if (sorted[at(order[i])] == sorted[at(order[i - 1])]) doubled.push_back(order[i]);
    return doubled;
  }

  void check_duplicates() {
    Offenders found;
    for (const int face : doubled_faces()) found.add(face);
    report(Severity::error, found, "triangle", "has the same corners as another one", "remove doubled faces");
  }

  /// Edges of more than two triangles do no harm where nothing bends. Doubled faces count once.
  void check_edges(Severity severity) {
    std::vector<HalfEdge> sides = sorted_half_edges(mesh_.vertex_count(), mesh_.triangles);
    std::vector<char> is_doubled(mesh_.triangles.size(), 0);
    for (const int face : doubled_faces()) is_doubled[at(face)] = 1;
    std::erase_if(sides, [&](const HalfEdge& side) { return is_doubled[at(side.face)]; });
    Offenders crowded, flipped;
    for (size_t begin = 0; begin < sides.size();) {
      size_t end = begin + 1;
      while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high)
        ++end;
      if (end - begin > 2) crowded.add(static_cast<int>(begin));
      if (end - begin == 2 && sides[begin].forward == sides[begin + 1].forward)
        flipped.add(static_cast<int>(begin));
      begin = end;
    }
    if (severity == Severity::error)
      report_edges(severity, crowded, sides, "belongs to more than two triangles",
                   "split the surface there (Blender: Select > All by Trait > Non Manifold finds the place)");
    report_edges(severity, flipped, sides, "joins two triangles of opposite orientation",
                 "make normals consistent (Blender: Mesh > Normals > Recalculate Outside)");
  }

  void report_edges(Severity severity, const Offenders& found, const std::vector<HalfEdge>& sides,
                    const std::string& fault, const std::string& remedy) {
    if (found.count == 0) return;
    const HalfEdge& side = sides[at(found.first)];
    const Offenders from_low{side.low, found.count};
    report(severity, from_low, "the edge from vertex",
           "to " + std::to_string(side.high) + " of triangle " + std::to_string(side.face) + " " + fault,
           remedy);
  }

  void check_vertices() {
    std::vector<char> used(mesh_.positions.size(), 0);
    for (const Triangle& t : mesh_.triangles)
      for (const int vertex : t) used[at(vertex)] = 1;
    Offenders unused;
    for (int vertex = 0; vertex < mesh_.vertex_count(); ++vertex)
      if (!used[at(vertex)]) unused.add(vertex);
    report(Severity::error, unused, "vertex", "belongs to no triangle and would have no mass",
           "delete loose vertices (Blender: Mesh > Clean Up > Delete Loose)");
    report(Severity::warning, coincident_vertices(), "vertex", "lies exactly on another one",
           "merge vertices by distance if the surface should be connected there");
  }

  /// The faces at a vertex should hang together by edges; where they do not, parts swing about a point.
  void check_fans() {
    const Topology topology = make_topology(mesh_.vertex_count(), mesh_.triangles);
    Offenders found;
    for (int vertex = 0; vertex < mesh_.vertex_count(); ++vertex)
      if (!is_one_fan(topology, vertex)) found.add(vertex);
    report(Severity::warning, found, "vertex", "joins parts of the surface that share no edge there",
           "split the vertex, or join the parts by a face (Blender: Select > All by Trait > Non Manifold "
           "finds it)");
  }

  bool is_one_fan(const Topology& topology, int vertex) const {
    const std::span<const int> faces = topology.vertex_faces[vertex];
    std::vector<int> reached{faces.front()};
    for (size_t next = 0; next < reached.size(); ++next)
      for (int corner = 0; corner < 3; ++corner) {
        if (mesh_.triangles[at(reached[next])][at(corner)] == vertex) continue;  // the side across lacks it
        const int other = topology.face_across(reached[next], corner);
        if (other != kNoFace && std::find(reached.begin(), reached.end(), other) == reached.end())
          reached.push_back(other);
      }
    return reached.size() == faces.size();
  }

  Offenders coincident_vertices() const {
    std::vector<int> order(mesh_.positions.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int vertex) {
      const Vec3& p = mesh_.positions[at(vertex)];
      return std::tuple(p.x(), p.y(), p.z());
    };
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    std::vector<int> later;
    for (size_t i = 1; i < order.size(); ++i)
      if (key(order[i]) == key(order[i - 1])) later.push_back(order[i]);
    if (later.empty()) return {};
    return {*std::min_element(later.begin(), later.end()), static_cast<int>(later.size())};
  }

  /// False if it is so large that other findings would mean nothing.
  bool check_size() {
    double reach = 0;
    for (const Vec3& position : mesh_.positions) reach = std::max(reach, position.stableNorm());
    if (const double limit = usual_limit("m"); reach > limit) {
      diagnostics_.error(where_, "the mesh reaches " + rounded(reach) + " m from the origin",
                         "expected at most " + rounded(limit) + " m; lengths are in metres, scale the mesh");
      return false;
    }
    const double size = bounding_box(mesh_.positions).diagonal().norm();
    if (size > kLargest)
      diagnostics_.warning(where_, "the mesh is " + rounded(size) + " m large; lengths are in metres",
                           "did you export millimetres? then scale it by 0.001");
    if (size < kSmallest)
      diagnostics_.warning(where_, "the mesh is only " + rounded(size) + " m large; lengths are in metres",
                           "did you export kilometres or a normalised mesh? then scale it up");
    return true;
  }

  const TriangleMesh& mesh_;
  SourceLocation where_;
  Diagnostics diagnostics_;
};

double quality_at_rest(const std::array<Vec2, 3>& t) {
  const auto lifted = [](const Vec2& p) { return Vec3(p.x(), p.y(), 0); };
  return triangle_quality(lifted(t[0]), lifted(t[1]), lifted(t[2]));
}

}  // namespace

Diagnostics check_mesh(const TriangleMesh& mesh, const std::string& name) {
  return Checker(mesh, name).run();
}

Diagnostics check_obstacle_mesh(const TriangleMesh& mesh, const std::string& name) {
  return Checker(mesh, name).run_obstacle();
}

Diagnostics check_rest_state(const TriangleMesh& mesh, const RestState& rest, const std::string& name) {
  Diagnostics diagnostics;
  const SourceLocation where{.file = name};
  if (rest.area.empty()) return diagnostics;
  const double ratio =
      std::accumulate(rest.area.begin(), rest.area.end(), 0.0) / total_area(mesh.positions, mesh.triangles);
  if (ratio > kUvAreaRatio || ratio < 1 / kUvAreaRatio)
    diagnostics.warning(where, "the area at rest is " + rounded(ratio) + " times that of the mesh",
                        "texture coordinates used as rest shape must be in metres");
  const auto [smallest, largest] = std::minmax_element(rest.area.begin(), rest.area.end());
  if (*largest > kAreaRatio * *smallest)
    diagnostics.warning(where,
                        "triangle " + std::to_string(largest - rest.area.begin()) + " is " +
                            rounded(*largest / *smallest) + " times as large at rest as triangle " +
                            std::to_string(smallest - rest.area.begin()),
                        "remesh the cloth with edges of similar length");
  Offenders thin;
  for (size_t face = 0; face < rest.triangles.size(); ++face)
    if (quality_at_rest(rest.triangles[face]) < kThinAtRest) thin.add(static_cast<int>(face));
  if (thin.count > 0)
    diagnostics.warning(where,
                        "triangle " + std::to_string(thin.first) + " is very thin (the first of " +
                            std::to_string(thin.count) + ")",
                        "remesh the cloth with well-shaped triangles");
  return diagnostics;
}

}  // namespace heddle
