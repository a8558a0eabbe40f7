#include <heddle/io/centre_lines.h>
#include <heddle/io/export_formats.h>
#include <heddle/io/overwrite.h>

#include <fmt/format.h>

#include <iterator>

namespace heddle {
namespace {

/// `materials` are those of the model and at the end the one of all obstacles.
const std::string& material_name(const SnapshotObject& object, size_t face,
                                 const std::vector<std::string>& materials) {
  if (object.kind == SnapshotObject::Kind::obstacle) return materials.back();
  return materials[static_cast<size_t>(face_material(object, face))];
}

/// Of what is no tube; they have one material, that of the first line.
std::string lines_text(const SnapshotObject& object, const std::vector<std::string>& materials,
                       int first_vertex) {
  std::string text;
  if (!is_of_lines(object)) return text;
  if (!materials.empty()) text += fmt::format("usemtl {}\n", material_name(object, 0, materials));
  for (const std::vector<std::int32_t>& row : polylines(object.curves)) {
    text += 'l';
    for (const std::int32_t point : row)
      fmt::format_to(std::back_inserter(text), " {}", first_vertex + point + 1);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string obj_text(const SnapshotObject& object, const std::string& name,
                     const std::vector<Vec3f>& positions, const std::vector<std::string>& materials,
                     int first_vertex, int first_uv) {
  std::string text = fmt::format("o {}\n", name);
  const auto out = std::back_inserter(text);
  for (const Vec3f& x : positions) fmt::format_to(out, "v {} {} {}\n", x.x(), x.y(), x.z());
  for (const Eigen::Vector2f& uv : object.uv) fmt::format_to(out, "vt {} {}\n", uv.x(), uv.y());
  std::string current;
  for (size_t face = 0; face < object.triangles.size(); ++face) {
    // A material holds until the next one, also beyond the object: every object names its own.
    const std::string& material = materials.empty() ? current : material_name(object, face, materials);
    if (material != current) fmt::format_to(out, "usemtl {}\n", material);
    current = material;
    text += 'f';
    for (const int vertex : object.triangles[face]) {
      fmt::format_to(out, " {}", first_vertex + vertex + 1);
      if (!object.uv.empty()) fmt::format_to(out, "/{}", first_uv + vertex + 1);
    }
    text += '\n';
  }
  return text + lines_text(object, materials, first_vertex);
}

Status export_obj(const ExportSource& source, ExportTarget& target) {
  const std::vector<std::string> names = object_identifiers(source);
  std::vector<std::string> materials;
  for (const SnapshotMaterial& material : source.model().materials) materials.push_back(material.name);
  if (materials.empty()) materials.push_back("cloth");
  materials.push_back("obstacle");
  materials = unique_identifiers(materials);
  for (size_t k = 0; k < source.frame_count(); ++k) {
    const auto frames = source.read(k);
    if (!frames) return frames.errors();
    std::string text = fmt::format("# {}: frame {}, {} s, z up, metres\n", kHeddleMark,
                                   source.frame_number(k), source.times()[k]);
    int vertices = 0, uvs = 0;
    for (size_t i = 0; i < source.object_count(); ++i) {
      const SnapshotObject& object = source.object(i);
      text += obj_text(object, names[i], world_positions(object, (*frames)[i]), materials, vertices, uvs);
      vertices += static_cast<int>(object.rest_positions.size());
      uvs += static_cast<int>(object.uv.size());
    }
    const std::string file = fmt::format("frame_{:06}.obj", source.frame_number(k));
    if (Status written = target.write(file, text); !written) return written;
  }
  return Done{};
}

}  // namespace heddle
