#include <heddle/sim/prepared_cloth.h>

#include <heddle/mesh/check.h>
#include <heddle/sim/loaded_mesh.h>
#include <heddle/sim/paint.h>
#include <heddle/sim/select.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

int corner_of(const Triangle& triangle, int vertex) {
  return static_cast<int>(std::find(triangle.begin(), triangle.end(), vertex) - triangle.begin());
}

/// What can be said of a cloth that cannot be made: its fabrics by their names and, if there is a mesh, what
/// is selected of it.
void check_names(const ClothDescription& cloth, const FabricLibrary& fabrics, Diagnostics& diagnostics) {
  fabrics.find(cloth.fabric, cloth.fabric_where, diagnostics);
  for (const RegionDescription& region : cloth.regions)
    if (!region.fabric.empty()) fabrics.find(region.fabric, region.fabric_where, diagnostics);
}
void check_selections(const ClothDescription& cloth, const TriangleMesh& mesh, Diagnostics& diagnostics) {
  for (const PinDescription& pin : cloth.pins) select_vertices(pin.vertices, mesh, diagnostics);
  for (const AttachmentDescription& attachment : cloth.attachments)
    select_vertices(attachment.vertices, mesh, diagnostics);
}

void place(const ClothDescription& cloth, TriangleMesh& mesh) {
  const RigidTransform pose{rotation_from_degrees(cloth.rotation), cloth.translation};
  for (Vec3& x : mesh.positions) x = pose.point(cloth.scale * x);
  for (Vec2& uv : mesh.uv) uv *= cloth.scale;
  for (auto& corners : mesh.corner_uv)
    for (Vec2& uv : corners) uv *= cloth.scale;
}

/// The fabric of each face before painting, and the weft angles; regions later in the list win.
std::vector<double> apply_regions(const ClothDescription& description, const FabricLibrary& library,
                                  PreparedCloth& cloth, Diagnostics& diagnostics) {
  const auto faces = cloth.mesh.triangles.size();
  const auto palette_index = [&](const std::string& name, const SourceLocation& where) {
    const auto known = std::find(cloth.fabric_names.begin(), cloth.fabric_names.end(), name);
    if (known != cloth.fabric_names.end()) return static_cast<int>(known - cloth.fabric_names.begin());
    const Fabric* fabric = library.find(name, where, diagnostics);
    cloth.fabrics.push_back(fabric ? *fabric : Fabric{});
    cloth.fabric_names.push_back(name);
    return static_cast<int>(cloth.fabrics.size()) - 1;
  };
  constexpr double kRadians = std::numbers::pi / 180;
  cloth.face_fabric.assign(faces, palette_index(description.fabric, description.fabric_where));
  std::vector<double> weft_angle(faces, description.weft_angle * kRadians);
  for (const RegionDescription& region : description.regions) {
    const std::vector<int> selected = select_faces(region.faces, cloth.mesh, diagnostics);
    if (!region.fabric.empty()) {
      const int index = palette_index(region.fabric, region.fabric_where);
      for (int face : selected) cloth.face_fabric[at(face)] = index;
    }
    if (region.weft_angle)
      for (int face : selected) weft_angle[at(face)] = *region.weft_angle * kRadians;
  }
  return weft_angle;
}

/// Can one tell what lies in a box? Not with coordinates that are wrong themselves.
bool has_sensible_places(const TriangleMesh& mesh) {
  return std::all_of(mesh.positions.begin(), mesh.positions.end(),
                     [](const Vec3& x) { return x.allFinite() && x.stableNorm() <= usual_limit("m"); });
}

/// False if there is no mesh of which parts could be selected; the mesh may have faults all the same.
bool add_mesh(const ClothDescription& description, PreparedCloth& cloth, Diagnostics& found) {
  std::optional<TriangleMesh> mesh = load_mesh(description.mesh, found);
  if (!mesh) return false;
  place(description, *mesh);
  append_at(description.mesh.where, "cloth \"" + description.name + "\": ",
            with_remedy_for(description.mesh, "cloth", check_mesh(*mesh, {})), found);
  cloth.mesh = std::move(*mesh);
  return !cloth.mesh.triangles.empty() && has_sensible_places(cloth.mesh);
}

void add_rest_state(const ClothDescription& description, const std::vector<double>& weft_angle,
                    PreparedCloth& cloth, Diagnostics& found) {
  const std::string cloth_name = "cloth \"" + description.name + "\": ";
  Result<RestState> rest = make_rest_state(cloth.mesh, *rest_source_from(description.rest), weft_angle);
  if (!rest) return append_at(description.where, cloth_name, rest.errors(), found);
  cloth.rest = std::move(*rest);
  append_at(description.where, cloth_name, check_rest_state(cloth.mesh, cloth.rest, {}), found);
  cloth.topology = make_topology(cloth.mesh.vertex_count(), cloth.mesh.triangles);
  cloth.rest_angles = rest_hinge_angles(cloth.mesh, cloth.rest.source, cloth.topology.hinges);
}

}  // namespace

bool PreparedCloth::flat_at_rest() const {
  return std::all_of(rest_angles.begin(), rest_angles.end(),
                     [](double angle) { return std::abs(angle) < 1e-9; });
}

double PreparedCloth::hinge_rigidity(const Hinge& hinge) const {
  double sum = 0;
  for (int face : hinge.faces) {
    const Triangle& t = mesh.triangles[at(face)];
    const auto& corners = rest.triangles[at(face)];
    const Vec2 edge =
        (corners[at(corner_of(t, hinge.vertices[3]))] - corners[at(corner_of(t, hinge.vertices[2]))])
            .normalized();
    // The hinge bends across its edge: an edge along the warp bends the weft.
    sum += fabric(face).weft_bending * edge[1] * edge[1] + fabric(face).warp_bending * edge[0] * edge[0];
  }
  return 0.5 * sum;
}

double PreparedCloth::hinge_damping(const Hinge& hinge) const {
  return 0.5 * (fabric(hinge.faces[0]).bending_damping + fabric(hinge.faces[1]).bending_damping);
}

std::array<Vec3, 4> PreparedCloth::unfolded(const Hinge& hinge) const {
  const auto wing_of = [&](size_t side) {
    return wing_at_rest(rest, mesh.triangles, hinge.faces[side], hinge.vertices[2], hinge.vertices[3]);
  };
  const Wing left = wing_of(0), right = wing_of(1);
  return {Vec3(left.along, left.across, 0), Vec3(right.along, -right.across, 0), Vec3::Zero(),
          Vec3(0.5 * (left.length + right.length), 0, 0)};
}

std::array<int, 6> PreparedCloth::patch_vertices(int face) const {
  const Triangle& t = mesh.triangles[at(face)];
  std::array<int, 6> vertices{t[0], t[1], t[2], t[0], t[1], t[2]};
  for (int corner = 0; corner < 3; ++corner) {
    const int other = topology.face_across(face, corner);
    if (other != kNoFace)
      vertices[at(3 + corner)] =
          opposite_vertex(mesh.triangles[at(other)], t[at((corner + 1) % 3)], t[at((corner + 2) % 3)]);
  }
  return vertices;
}

BendingPatch PreparedCloth::unfolded_patch(int face) const {
  const Triangle& t = mesh.triangles[at(face)];
  const auto& own = rest.triangles[at(face)];
  BendingPatch patch{{own[0], own[1], own[2], own[0], own[1], own[2]}, {}};
  for (size_t corner = 0; corner < 3; ++corner) {
    const int other = topology.face_across(face, static_cast<int>(corner));
    patch.has_neighbour[corner] = other != kNoFace;
    if (other == kNoFace) continue;
    const size_t first = (corner + 1) % 3, second = (corner + 2) % 3;
    const Wing wing = wing_at_rest(rest, mesh.triangles, other, t[first], t[second]);
    const Vec2 edge = (own[second] - own[first]).normalized();
    patch.rest[3 + corner] = own[first] + wing.along * edge + wing.across * Vec2(edge[1], -edge[0]);
  }
  return patch;
}

std::optional<PreparedCloth> prepare_cloth(const ClothDescription& description, const FabricLibrary& fabrics,
                                           const Catalogue& catalogue, int first_particle,
                                           Diagnostics& diagnostics) {
  Diagnostics found;
  PreparedCloth cloth;
  cloth.name = description.name;
  cloth.first_particle = first_particle;
  const bool has_mesh = add_mesh(description, cloth, found);
  if (has_mesh) {
    const bool is_sound = !found.has_errors();
    const std::vector<double> weft_angle = apply_regions(description, fabrics, cloth, found);
    apply_paints(description, catalogue, cloth, found);
    if (is_sound) add_rest_state(description, weft_angle, cloth, found);
    if (found.has_errors()) check_selections(description, cloth.mesh, found);
  } else {
    check_names(description, fabrics, found);
    check_paints(description, found);
  }
  diagnostics.append(found);
  if (found.has_errors()) return std::nullopt;
  return cloth;
}

}  // namespace heddle
