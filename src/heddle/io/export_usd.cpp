#include <heddle/io/centre_lines.h>
#include <heddle/io/export_formats.h>
#include <heddle/io/overwrite.h>

#include <fmt/format.h>

#include <iterator>

namespace heddle {
namespace {

template <class Vector>
std::string tuple(const Vector& v) {
  std::string text = "(";
  for (int i = 0; i < v.size(); ++i) fmt::format_to(std::back_inserter(text), "{}{}", i ? ", " : "", v[i]);
  return text + ")";
}

template <class Vector>
std::string tuples(const std::vector<Vector>& values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + tuple(values[i]);
  return text + "]";
}

std::string extent_of(const std::vector<Vec3f>& points) {
  Vec3f low = Vec3f::Zero(), high = Vec3f::Zero();
  for (size_t i = 0; i < points.size(); ++i) {
    low = i ? low.cwiseMin(points[i]).eval() : points[i];
    high = i ? high.cwiseMax(points[i]).eval() : points[i];
  }
  return tuples(std::vector<Vec3f>{low, high});
}

std::string quoted(const std::string& text) {
  std::string escaped = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c == '\n' || c == '\r' ? ' ' : c;
  }
  return escaped + '"';
}

/// The lines of one object that change with time, collected frame by frame: "frame: value,".
struct Samples {
  std::string points, velocities, extent, translate, orient;
};

void add_positions(Samples& samples, const SnapshotObjectFrame& frame, std::int64_t number) {
  const auto add = [&](std::string& lines, const std::string& value) {
    lines += fmt::format("            {}: {},\n", number, value);
  };
  add(samples.points, tuples(frame.positions));
  add(samples.extent, extent_of(frame.positions));
  if (!frame.velocities.empty()) add(samples.velocities, tuples(frame.velocities));
}

void add_pose(Samples& samples, const SnapshotObjectFrame& frame, std::int64_t number) {
  const Eigen::Vector4f q = frame.pose.rotation.coeffs().cast<float>();
  samples.translate += fmt::format("            {}: {},\n", number, tuple(frame.pose.translation));
  samples.orient += fmt::format("            {}: ({}, {}, {}, {}),\n", number, q.w(), q.x(), q.y(), q.z());
}

std::string time_samples(const std::string& attribute, const std::string& lines) {
  if (lines.empty()) return {};
  return fmt::format("        {}.timeSamples = {{\n{}        }}\n", attribute, lines);
}

std::string topology_text(const SnapshotObject& object) {
  std::string counts, indices;
  for (const Triangle& t : object.triangles) {
    counts += counts.empty() ? "3" : ", 3";
    fmt::format_to(std::back_inserter(indices), "{}{}, {}, {}", indices.empty() ? "" : ", ", t[0], t[1],
                   t[2]);
  }
  return fmt::format("        int[] faceVertexCounts = [{}]\n        int[] faceVertexIndices = [{}]\n",
                     counts, indices);
}

std::string colour_text(const SnapshotModel& model, const SnapshotObject& object) {
  const Vec3f grey(0.5f, 0.5f, 0.5f);
  if (object.kind == SnapshotObject::Kind::obstacle || model.materials.empty())
    return fmt::format("        color3f[] primvars:displayColor = [{}]\n", tuple(grey));
  std::vector<Vec3f> colours;
  for (size_t face = 0; face < object.triangles.size(); ++face)
    colours.push_back(model.materials[static_cast<size_t>(face_material(object, face))].front_colour);
  return fmt::format(
      "        color3f[] primvars:displayColor = {} (\n            interpolation = \"uniform\"\n        )\n",
      tuples(colours));
}

/// The values of points in the order of the curves, each of which has its own.
std::vector<Vec3f> along_curves(const SnapshotCurves& curves, const std::vector<Vec3f>& values) {
  std::vector<Vec3f> out;
  if (values.empty()) return out;
  for (const std::vector<std::int32_t>& row : polylines(curves))
    for (const std::int32_t point : row) out.push_back(values[static_cast<size_t>(point)]);
  return out;
}

SnapshotObjectFrame along_curves(const SnapshotCurves& curves, const SnapshotObjectFrame& frame) {
  SnapshotObjectFrame out;
  out.positions = along_curves(curves, frame.positions);
  out.velocities = along_curves(curves, frame.velocities);
  return out;
}

std::string prim_start(const char* type, const SnapshotObject& object, const std::string& name) {
  return fmt::format(
      "\n    def {} \"{}\" (\n        customData = {{\n            string name = {}\n        }}\n    )\n    "
      "{{\n",
      type, name, quoted(object.name));
}

/// Values without a time serve readers that know no animation.
std::string points_text(const std::vector<Vec3f>& rest, const Samples& samples) {
  return fmt::format("        float3[] extent = {}\n", extent_of(rest)) +
         time_samples("float3[] extent", samples.extent) +
         fmt::format("        point3f[] points = {}\n", tuples(rest)) +
         time_samples("point3f[] points", samples.points) +
         time_samples("vector3f[] velocities", samples.velocities);
}

std::string curves_text(const SnapshotModel& model, const SnapshotObject& object, const std::string& name,
                        const Samples& samples) {
  std::string counts;
  for (const std::vector<std::int32_t>& row : polylines(object.curves))
    counts += fmt::format("{}{}", counts.empty() ? "" : ", ", row.size());
  const Vec3f colour = model.materials[static_cast<size_t>(face_material(object, 0))].front_colour;
  return prim_start("BasisCurves", object, name) + "        uniform token type = \"linear\"\n" +
         fmt::format("        int[] curveVertexCounts = [{}]\n", counts) +
         fmt::format("        float[] widths = [{}] (\n            interpolation = \"constant\"\n        )\n",
                     2 * object.curves.radius) +
         fmt::format("        color3f[] primvars:displayColor = [{}]\n", tuple(colour)) +
         points_text(along_curves(object.curves, object.rest_positions), samples) + "    }\n";
}

std::string mesh_text(const SnapshotModel& model, const SnapshotObject& object, const std::string& name,
                      const Samples& samples) {
  std::string text = prim_start("Mesh", object, name);
  text += "        uniform bool doubleSided = 1\n        uniform token subdivisionScheme = \"none\"\n";
  text += topology_text(object) + colour_text(model, object);
  text += points_text(object.rest_positions, samples);
  if (!object.uv.empty())
    text += fmt::format(
        "        texCoord2f[] primvars:st = {} (\n            interpolation = \"vertex\"\n        )\n",
        tuples(object.uv));
  if (!samples.translate.empty()) {
    text += time_samples("double3 xformOp:translate", samples.translate);
    text += time_samples("quatf xformOp:orient", samples.orient);
    text += "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n";
  }
  return text + "    }\n";
}

std::string header(const ExportSource& source) {
  return fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"{}\"\n    endTimeCode = {}\n    "
      "framesPerSecond = {}\n"
      "    metersPerUnit = 1\n    startTimeCode = {}\n    timeCodesPerSecond = {}\n    upAxis = \"Z\"\n)\n\n"
      "def Xform \"World\"\n{{",
      kHeddleMark, source.frame_number(source.frame_count() - 1), source.model().frame_rate,
      source.frame_number(0), source.model().frame_rate);
}

}  // namespace

Status export_usd(const ExportSource& source, ExportTarget& target) {
  std::vector<Samples> samples(source.object_count());
  for (size_t k = 0; k < source.frame_count(); ++k) {
    const auto frames = source.read(k);
    if (!frames) return frames.errors();
    for (size_t i = 0; i < samples.size(); ++i) {
      const bool rigid =
          source.object(i).kind == SnapshotObject::Kind::obstacle && (*frames)[i].positions.empty();
      const SnapshotObject& object = source.object(i);
      const auto& frame = is_of_lines(object) ? along_curves(object.curves, (*frames)[i]) : (*frames)[i];
      (rigid ? add_pose : add_positions)(samples[i], frame, source.frame_number(k));
    }
  }
  Result<AtomicFile> file = target.create("run.usda");
  if (!file) return file.errors();
  if (Status written = file->write(header(source)); !written) return written;
  const std::vector<std::string> names = object_identifiers(source);
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto text = is_of_lines(source.object(i)) ? curves_text : mesh_text;
    const Status written = file->write(text(source.model(), source.object(i), names[i], samples[i]));
    if (!written) return written;
  }
  if (Status written = file->write("}\n"); !written) return written;
  return file->commit();
}

}  // namespace heddle
