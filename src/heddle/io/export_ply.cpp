#include <heddle/io/bytes.h>
#include <heddle/io/centre_lines.h>
#include <heddle/io/export_formats.h>
#include <heddle/io/overwrite.h>

#include <fmt/format.h>

namespace heddle {
namespace {

bool any_uv(const ExportSource& source) {
  for (size_t i = 0; i < source.object_count(); ++i)
    if (!source.object(i).uv.empty()) return true;
  return false;
}

constexpr std::string_view kElementProperties =
    "property float strain_weft\nproperty float strain_warp\nproperty float strain_shear\n"
    "property int material\nproperty int object\n";

std::string header(const ExportSource& source, size_t k, bool has_uv) {
  size_t vertices = 0, faces = 0, edges = 0;
  for (size_t i = 0; i < source.object_count(); ++i) {
    vertices += source.object(i).rest_positions.size();
    faces += source.object(i).triangles.size();
    if (is_of_lines(source.object(i))) edges += source.object(i).curves.lines.size();
  }
  std::string text = "ply\nformat binary_little_endian 1.0\n";
  text += fmt::format("comment {}: frame {}, {} s, z up, metres\n", kHeddleMark, source.frame_number(k),
                      source.times()[k]);
  text += fmt::format("element vertex {}\nproperty float x\nproperty float y\nproperty float z\n", vertices);
  if (has_uv) text += "property float s\nproperty float t\n";
  text += "property float vx\nproperty float vy\nproperty float vz\nproperty int object\n";
  text +=
      fmt::format("element face {}\nproperty list uchar int vertex_indices\n{}", faces, kElementProperties);
  if (edges > 0)
    text += fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n{}", edges,
                        kElementProperties);
  return text + "end_header\n";
}

/// Obstacles and runs without the array get zeros.
Vec3f value_or_zero(const std::vector<Vec3f>& values, size_t i) {
  return values.empty() ? Vec3f(Vec3f::Zero()) : values[i];
}

void put_vertices(ByteWriter& out, const SnapshotObject& object, const SnapshotObjectFrame& frame,
                  bool has_uv, int number) {
  const std::vector<Vec3f> positions = world_positions(object, frame);
  for (size_t v = 0; v < positions.size(); ++v) {
    out.put(positions[v]);
    if (has_uv) out.put(object.uv.empty() ? Eigen::Vector2f(0, 0) : object.uv[v]);
    out.put(value_or_zero(frame.velocities, v));
    out.put(number);
  }
}

void put_faces(ByteWriter& out, const SnapshotObject& object, const SnapshotObjectFrame& frame,
               int first_vertex, int number) {
  for (size_t face = 0; face < object.triangles.size(); ++face) {
    out.put<std::uint8_t>(3);
    for (const int vertex : object.triangles[face]) out.put(first_vertex + vertex);
    out.put(value_or_zero(frame.strains, face));
    out.put(face_material(object, face));
    out.put(number);
  }
}

void put_lines(ByteWriter& out, const SnapshotObject& object, const SnapshotObjectFrame& frame,
               int first_vertex, int number) {
  if (!is_of_lines(object)) return;
  for (size_t line = 0; line < object.curves.lines.size(); ++line) {
    for (const int point : object.curves.lines[line]) out.put(first_vertex + point);
    out.put(value_or_zero(frame.strains, line));
    out.put(face_material(object, line));
    out.put(number);
  }
}

using PutElements = void (*)(ByteWriter&, const SnapshotObject&, const SnapshotObjectFrame&, int, int);

/// Of all objects.
void put_elements(ByteWriter& out, const ExportSource& source, const std::vector<SnapshotObjectFrame>& frames,
                  PutElements put) {
  int vertices = 0;
  for (size_t i = 0; i < source.object_count(); ++i) {
    put(out, source.object(i), frames[i], vertices, static_cast<int>(i));
    vertices += static_cast<int>(source.object(i).rest_positions.size());
  }
}

}  // namespace

Status export_ply(const ExportSource& source, ExportTarget& target) {
  const bool has_uv = any_uv(source);
  for (size_t k = 0; k < source.frame_count(); ++k) {
    const auto frames = source.read(k);
    if (!frames) return frames.errors();
    ByteWriter out;
    out.put_bytes(header(source, k, has_uv));
    for (size_t i = 0; i < source.object_count(); ++i)
      put_vertices(out, source.object(i), (*frames)[i], has_uv, static_cast<int>(i));
    put_elements(out, source, *frames, put_faces);
    put_elements(out, source, *frames, put_lines);
    const std::string file = fmt::format("frame_{:06}.ply", source.frame_number(k));
    if (Status written = target.write(file, out.bytes()); !written) return written;
  }
  return Done{};
}

}  // namespace heddle
