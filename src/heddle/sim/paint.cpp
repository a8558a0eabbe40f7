#include <heddle/sim/paint.h>

#include <heddle/io/image.h>
#include <heddle/io/mesh_file.h>
#include <heddle/scene/load.h>
#include <heddle/sim/loaded_mesh.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

using Corners = std::array<double, 3>;

/// Where the picture lies: what is (0, 0) and (1, 1) of it in texture coordinates.
struct Fit {
  Vec2 low, size;
  Vec2 operator()(const Vec2& uv) const { return (uv - low).cwiseQuotient(size); }
};

/// Whether the scene says that texture coordinates are lengths.
bool has_uv_in_metres(const ClothDescription& cloth) {
  return cloth.rest == "uv" || !cloth.mesh.is<MeshFile>();
}

Fit fit_of(const PaintDescription& paint, const ClothDescription& cloth, const TriangleMesh& mesh) {
  if (paint.fit == "uv" || (paint.fit == "auto" && !has_uv_in_metres(cloth)))
    return {Vec2::Zero(), Vec2::Constant(cloth.scale)};
  Eigen::AlignedBox2d box;
  for (int face = 0; face < mesh.triangle_count(); ++face)
    for (const Vec2& uv : mesh.face_uv(face)) box.extend(uv);
  const Vec2 size = box.sizes();
  return {box.min(), Vec2(size.x() > 0 ? size.x() : 1, size.y() > 0 ? size.y() : 1)};
}

const Parameter* painted_parameter(const PaintDescription& paint, Diagnostics& diagnostics) {
  const Parameter* parameter = description_of<Fabric>().find(paint.parameter);
  if (parameter && parameter->shape.kind == Shape::Kind::number) return parameter;
  std::vector<std::string> names;
  for (const Parameter& p : description_of<Fabric>().parameters)
    if (p.shape.kind == Shape::Kind::number) names.push_back(p.name);
  const std::string nearest = nearest_name(paint.parameter, names);
  diagnostics.error(
      paint.where, "fabrics have no number " + in_quotes(paint.parameter) + " to paint",
      nearest.empty() ? "expected " + quoted_list(names) : "did you mean " + in_quotes(nearest) + "?");
  return nullptr;
}

std::optional<Image> read_texture(const PaintDescription& paint, Diagnostics& diagnostics) {
  Result<Image> image = read_png(resolve_path(paint.texture, paint.where));
  if (image) return std::move(*image);
  append_at(paint.where, "", image.errors(), diagnostics);
  return std::nullopt;
}

std::vector<Corners> values_of_attribute(const PaintDescription& paint, const TriangleMesh& mesh,
                                         Diagnostics& diagnostics) {
  std::vector<Corners> values;
  const auto found = mesh.vertex_scalars.find(paint.attribute);
  if (found == mesh.vertex_scalars.end()) {
    std::vector<std::string> names;
    for (const auto& [name, scalars] : mesh.vertex_scalars) names.push_back(name);
    diagnostics.error(paint.where, "the mesh has no vertex attribute \"" + paint.attribute + "\"",
                      names.empty() ? "it has none at all" : "it has " + quoted_list(names));
    return values;
  }
  for (const Triangle& t : mesh.triangles)
    values.push_back({found->second[at(t[0])], found->second[at(t[1])], found->second[at(t[2])]});
  return values;
}

std::vector<Corners> values_of_texture(const PaintDescription& paint, const ClothDescription& cloth,
                                       const TriangleMesh& mesh, Diagnostics& diagnostics) {
  const std::optional<Image> image = read_texture(paint, diagnostics);
  if (mesh.uv.empty())
    diagnostics.error(paint.where, "a painted texture needs a mesh with texture coordinates",
                      "unwrap the mesh, or paint an attribute");
  std::vector<Corners> values;
  if (!image || mesh.uv.empty()) return values;
  const Fit fit = fit_of(paint, cloth, mesh);
  for (int face = 0; face < mesh.triangle_count(); ++face) {
    const std::array<Vec2, 3> uv = mesh.face_uv(face);
    Corners& corners = values.emplace_back();
    for (size_t k = 0; k < 3; ++k) {
      const Vec2 t = fit(uv[k]);
      corners[k] = luminance(*image, t.x(), t.y());
    }
  }
  return values;
}

void give_faces_their_own_fabric(PreparedCloth& cloth) {
  if (cloth.fabrics.size() == cloth.face_fabric.size()) return;
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

void apply_paint(const PaintDescription& paint, const ClothDescription& description,
                 const Catalogue& catalogue, PreparedCloth& cloth, Diagnostics& diagnostics) {
  Diagnostics found;
  const Parameter* parameter = painted_parameter(paint, found);
  const std::vector<Corners> values = paint.attribute.empty()
                                          ? values_of_texture(paint, description, cloth.mesh, found)
                                          : values_of_attribute(paint, cloth.mesh, found);
  if (!found.has_errors()) give_faces_their_own_fabric(cloth);
  ReadContext context{catalogue, found};
  for (size_t f = 0; f < values.size() && !found.has_errors(); ++f) {
    const double mean = (values[f][0] + values[f][1] + values[f][2]) / 3;
    const double number = paint.range[0] + mean * (paint.range[1] - paint.range[0]);
    parameter->read(Value(number, paint.where), &cloth.fabrics[f], context);
  }
  diagnostics.append(found);
}

}  // namespace

void apply_paints(const ClothDescription& description, const Catalogue& catalogue, PreparedCloth& cloth,
                  Diagnostics& diagnostics) {
  for (const PaintDescription& paint : description.paint)
    apply_paint(paint, description, catalogue, cloth, diagnostics);
}

void check_paints(const ClothDescription& description, Diagnostics& diagnostics) {
  for (const PaintDescription& paint : description.paint) {
    painted_parameter(paint, diagnostics);
    if (!paint.texture.empty()) read_texture(paint, diagnostics);
  }
}

}  // namespace heddle
