#include <heddle/sim/prepared_cloth.h>

#include <heddle/io/image.h>
#include <heddle/mesh/check.h>
#include <heddle/scene/load.h>
#include <heddle/sim/loaded_mesh.h>
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

/// What is painted on each face, from 0 to 1.
std::optional<std::vector<double>> painted_values(const PaintDescription& paint, const TriangleMesh& mesh,
                                                  Diagnostics& diagnostics) {
  std::vector<double> per_vertex;
  if (!paint.attribute.empty()) {
    const auto found = mesh.vertex_scalars.find(paint.attribute);
    if (found == mesh.vertex_scalars.end()) {
      std::vector<std::string> names;
      for (const auto& [name, values] : mesh.vertex_scalars) names.push_back(name);
      diagnostics.error(paint.where, "the mesh has no vertex attribute \"" + paint.attribute + "\"",
                        names.empty() ? "it has none at all" : "it has " + quoted_list(names));
      return std::nullopt;
    }
    per_vertex = found->second;
  } else {
    const Result<Image> image = read_png(resolve_path(paint.texture, paint.where));
    if (!image) {
      append_at(paint.where, "", image.errors(), diagnostics);
      return std::nullopt;
    }
    if (mesh.uv.empty()) {
      diagnostics.error(paint.where, "a painted texture needs a mesh with texture coordinates",
                        "unwrap the mesh, or paint an attribute");
      return std::nullopt;
    }
    // Coordinates within the unit square are used as they are; others (metres) are stretched over the
    // picture.
    Eigen::AlignedBox2d box;
    for (const Vec2& uv : mesh.uv) box.extend(uv);
    const bool unit = box.min().minCoeff() >= 0 && box.max().maxCoeff() <= 1;
    const Vec2 low = unit ? Vec2(0, 0) : box.min(), size = unit ? Vec2(1, 1) : Vec2(box.sizes());
    for (const Vec2& uv : mesh.uv) {
      const Vec2 t = (uv - low).cwiseQuotient(size);
      per_vertex.push_back(luminance(*image, t[0], t[1]));
    }
  }
  std::vector<double> per_face;
  for (const Triangle& t : mesh.triangles)
    per_face.push_back((per_vertex[at(t[0])] + per_vertex[at(t[1])] + per_vertex[at(t[2])]) / 3);
  return per_face;
}

void apply_paint(const PaintDescription& paint, const Catalogue& catalogue, PreparedCloth& cloth,
                 Diagnostics& diagnostics) {
  const Parameter* parameter = description_of<Fabric>().find(paint.parameter);
  if (!parameter || parameter->shape.kind != Shape::Kind::number) {
    std::vector<std::string> names;
    for (const Parameter& p : description_of<Fabric>().parameters)
      if (p.shape.kind == Shape::Kind::number) names.push_back(p.name);
    const std::string nearest = nearest_name(paint.parameter, names);
    diagnostics.error(
        paint.where, "fabrics have no number " + in_quotes(paint.parameter) + " to paint",
        nearest.empty() ? "expected " + quoted_list(names) : "did you mean " + in_quotes(nearest) + "?");
    return;
  }
  const auto values = painted_values(paint, cloth.mesh, diagnostics);
  if (!values) return;
  // From here on every face has a fabric of its own.
  if (cloth.fabrics.size() != cloth.face_fabric.size()) {
    std::vector<Fabric> own;
    std::vector<std::string> names;  // kept, as the regions are drawn by them
    for (size_t f = 0; f < cloth.face_fabric.size(); ++f) {
      own.push_back(cloth.fabric(static_cast<int>(f)));
      names.push_back(cloth.fabric_names[at(cloth.face_fabric[f])]);
      cloth.face_fabric[f] = static_cast<int>(f);
    }
    cloth.fabrics = std::move(own);
    cloth.fabric_names = std::move(names);
  }
  Diagnostics found;
  ReadContext context{catalogue, found};
  for (size_t f = 0; f < values->size() && !found.has_errors(); ++f) {
    const double number = paint.range[0] + (*values)[f] * (paint.range[1] - paint.range[0]);
    parameter->read(Value(number, paint.where), &cloth.fabrics[f], context);
  }
  diagnostics.append(found);
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
  const auto give_up = [&]() -> std::optional<PreparedCloth> {
    diagnostics.append(found);
    return std::nullopt;
  };
  std::optional<TriangleMesh> mesh = load_mesh(description.mesh, found);
  if (!mesh) {
    check_names(description, fabrics, found);
    return give_up();
  }
  place(description, *mesh);
  const std::string cloth_name = "cloth \"" + description.name + "\": ";
  append_at(description.mesh.where, cloth_name,
            with_remedy_for(description.mesh, "cloth", check_mesh(*mesh, {})), found);
  if (found.has_errors()) {
    check_names(description, fabrics, found);
    return give_up();
  }
  PreparedCloth cloth;
  cloth.name = description.name;
  cloth.first_particle = first_particle;
  cloth.mesh = std::move(*mesh);
  const std::vector<double> weft_angle = apply_regions(description, fabrics, cloth, found);
  for (const PaintDescription& paint : description.paint) apply_paint(paint, catalogue, cloth, found);
  if (found.has_errors()) {
    check_selections(description, cloth.mesh, found);
    return give_up();
  }
  Result<RestState> rest = make_rest_state(cloth.mesh, *rest_source_from(description.rest), weft_angle);
  if (!rest) {
    append_at(description.where, cloth_name, rest.errors(), found);
    return give_up();
  }
  cloth.rest = std::move(*rest);
  append_at(description.where, cloth_name, check_rest_state(cloth.mesh, cloth.rest, {}), found);
  cloth.topology = make_topology(cloth.mesh.vertex_count(), cloth.mesh.triangles);
  cloth.rest_angles = rest_hinge_angles(cloth.mesh, cloth.rest.source, cloth.topology.hinges);
  diagnostics.append(found);
  if (found.has_errors()) return std::nullopt;
  return cloth;
}

}  // namespace heddle
