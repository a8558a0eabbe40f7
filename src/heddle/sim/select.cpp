#include <heddle/sim/select.h>

#include <heddle/core/text.h>

#include <algorithm>
#include <set>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// What a selection chooses from: places of vertices, or centres of faces.
struct Candidates {
  const char* kind;
  std::vector<Vec3> places;           // m
  std::vector<std::vector<Vec2>> uv;  // m, several where seams meet; empty without texture coordinates
};

template <class Vector>
bool inside(const std::vector<Vector>& corners, const Vector& point) {
  const Vector low = corners[0].cwiseMin(corners[1]), high = corners[0].cwiseMax(corners[1]);
  constexpr double kSlack = 1e-9;  // m: boundaries belong to the box
  return ((point - low).array() >= -kSlack).all() && ((high - point).array() >= -kSlack).all();
}

const std::vector<int>* find_group(const Selection& selection, const TriangleMesh& mesh,
                                   Diagnostics& diagnostics) {
  if (selection.group.empty()) return nullptr;
  const auto found = mesh.face_groups.find(selection.group);
  if (found != mesh.face_groups.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& [name, faces] : mesh.face_groups) names.push_back(name);
  diagnostics.error(selection.where, "the mesh has no group \"" + selection.group + "\"",
                    names.empty() ? "it has no groups at all" : "it has " + quoted_list(names));
  return nullptr;
}

int nearest_to(const Vec3& point, const std::vector<Vec3>& places) {
  const auto closer = [&](const Vec3& a, const Vec3& b) { return (a - point).norm() < (b - point).norm(); };
  return static_cast<int>(std::min_element(places.begin(), places.end(), closer) - places.begin());
}

std::vector<std::vector<Vec2>> vertex_uv(const TriangleMesh& mesh) {
  std::vector<std::vector<Vec2>> all;
  for (const Vec2& uv : mesh.uv) all.push_back({uv});
  for (size_t face = 0; face < mesh.corner_uv.size(); ++face)
    for (size_t corner = 0; corner < 3; ++corner)
      all[at(mesh.triangles[face][corner])].push_back(mesh.corner_uv[face][corner]);
  return all;
}

std::set<int> choose(const Selection& selection, const Candidates& candidates, Diagnostics& diagnostics) {
  const int count = static_cast<int>(candidates.places.size());
  std::set<int> chosen;
  for (int index : selection.indices) {
    if (index >= 0 && index < count)
      chosen.insert(index);
    else
      diagnostics.error(selection.where,
                        std::string("there is no ") + candidates.kind + " " + std::to_string(index),
                        "they are numbered from 0 to " + std::to_string(count - 1));
  }
  for (const Vec3& point : selection.nearest)
    if (count > 0) chosen.insert(nearest_to(point, candidates.places));
  if (!selection.uv_box.empty() && candidates.uv.empty())
    diagnostics.error(selection.where, "uv_box needs a mesh with texture coordinates",
                      "unwrap the mesh, or select by box or indices");
  for (int i = 0; i < count; ++i) {
    const bool in_box = !selection.box.empty() && inside(selection.box, candidates.places[at(i)]);
    const bool in_uv = !selection.uv_box.empty() && !candidates.uv.empty() &&
                       std::any_of(candidates.uv[at(i)].begin(), candidates.uv[at(i)].end(),
                                   [&](const Vec2& uv) { return inside(selection.uv_box, uv); });
    if (selection.all || in_box || in_uv) chosen.insert(i);
  }
  return chosen;
}

/// `found` is what this selection alone has given rise to.
std::vector<int> finish(const Selection& selection, const std::set<int>& chosen, const char* kind,
                        Diagnostics& found, Diagnostics& diagnostics) {
  if (chosen.empty() && !found.has_errors())
    found.error(selection.where, std::string("the selection holds no ") + kind,
                "boxes are given in world coordinates at the start, uv boxes in texture coordinates, both "
                "in m");
  diagnostics.append(found);
  return {chosen.begin(), chosen.end()};
}

}  // namespace

std::vector<int> select_vertices(const Selection& selection, const TriangleMesh& placed,
                                 Diagnostics& diagnostics) {
  Diagnostics found;
  std::set<int> chosen = choose(selection, {"vertex", placed.positions, vertex_uv(placed)}, found);
  if (const std::vector<int>* group = find_group(selection, placed, found))
    for (int face : *group)
      chosen.insert(placed.triangles[at(face)].begin(), placed.triangles[at(face)].end());
  return finish(selection, chosen, "vertex", found, diagnostics);
}

std::vector<int> select_faces(const Selection& selection, const TriangleMesh& placed,
                              Diagnostics& diagnostics) {
  Candidates candidates{"face", {}, {}};
  for (int face = 0; face < placed.triangle_count(); ++face) {
    const Triangle& t = placed.triangles[at(face)];
    candidates.places.push_back(
        (placed.positions[at(t[0])] + placed.positions[at(t[1])] + placed.positions[at(t[2])]) / 3);
    if (placed.uv.empty()) continue;
    const std::array<Vec2, 3> uv = placed.face_uv(face);
    candidates.uv.push_back({(uv[0] + uv[1] + uv[2]) / 3});
  }
  Diagnostics found;
  std::set<int> chosen = choose(selection, candidates, found);
  if (const std::vector<int>* group = find_group(selection, placed, found))
    chosen.insert(group->begin(), group->end());
  return finish(selection, chosen, "face", found, diagnostics);
}

}  // namespace heddle
