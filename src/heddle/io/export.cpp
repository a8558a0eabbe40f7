#include <heddle/core/text.h>
#include <heddle/io/export.h>
#include <heddle/io/export_formats.h>

#include <fmt/format.h>

namespace heddle {
namespace {

struct Exporter {
  ExportFormat format;
  Status (*write)(const ExportSource&, ExportTarget&);
};

const std::vector<Exporter>& exporters() {
  static const std::vector<Exporter> list{
      {{"obj", ".obj", false, "Wavefront OBJ, one file a frame, with texture coordinates."}, export_obj},
      {{"ply", ".ply", false, "Binary PLY, one file a frame, with velocities and strains."}, export_ply},
      {{"pc2", ".pc2", false, "Point caches and rest meshes for Blender's Mesh Cache modifier."}, export_pc2},
      {{"vtk", ".vtp", false, "VTK PolyData, one file a frame, and a .pvd series for ParaView."}, export_vtk},
      {{"gltf", ".glb", true, "Binary glTF with the animation as morph targets, for browsers and engines."},
       export_gltf},
      {{"usd", ".usda", true, "OpenUSD text with time samples, for film pipelines."}, export_usd},
  };
  return list;
}

}  // namespace

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = [] {
    std::vector<ExportFormat> list;
    for (const Exporter& exporter : exporters()) list.push_back(exporter.format);
    return list;
  }();
  return formats;
}

Status export_run(const RunReader& run, const ExportOptions& options) {
  std::vector<std::string> names;
  for (const Exporter& exporter : exporters()) {
    names.push_back(exporter.format.name);
    if (exporter.format.name != options.format) continue;
    const Result<ExportSource> source = ExportSource::open(run, options);
    if (!source) return source.errors();
    Result<ExportTarget> target = ExportTarget::open(exporter.format, options);
    if (!target) return target.errors();
    Status written = exporter.write(*source, *target);
    if (written) written = target->finish();
    if (!written) target->abandon();
    return written;
  }
  return failure({}, fmt::format("unknown export format \"{}\"", options.format),
                 fmt::format("use {}", quoted_list(names)));
}

}  // namespace heddle
