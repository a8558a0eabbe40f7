#pragma once

#include <heddle/io/export_source.h>
#include <heddle/io/export_target.h>

namespace heddle {

/// Wavefront OBJ, one file a frame.
Status export_obj(const ExportSource& source, ExportTarget& target);
/// Binary PLY, one file a frame.
Status export_ply(const ExportSource& source, ExportTarget& target);
/// Point caches for Blender's Mesh Cache.
Status export_pc2(const ExportSource& source, ExportTarget& target);
/// VTK XML PolyData and a .pvd series for ParaView.
Status export_vtk(const ExportSource& source, ExportTarget& target);
/// Binary glTF 2.0 with morph targets.
Status export_gltf(const ExportSource& source, ExportTarget& target);
/// OpenUSD text.
Status export_usd(const ExportSource& source, ExportTarget& target);

/// One object as OBJ text, `first_vertex` and `first_uv` being the numbers of vertices and texture
/// coordinates that stand above it in the file. `materials` is empty for none, or names those of the model
/// and then the one of all obstacles.
std::string obj_text(const SnapshotObject& object, const std::string& name,
                     const std::vector<Vec3f>& positions, const std::vector<std::string>& materials,
                     int first_vertex, int first_uv);

}  // namespace heddle
