#include <heddle/sim/input_files.h>

#include <heddle/core/hash.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/curve_file.h>
#include <heddle/io/mesh_file.h>
#include <heddle/io/mesh_sequence.h>
#include <heddle/scene/load.h>
#include <heddle/sim/loaded_mesh.h>

namespace heddle {

namespace {

std::vector<std::filesystem::path> input_files(const SceneDescription& scene) {
  std::vector<std::filesystem::path> files;
  const auto add = [&](const std::vector<std::filesystem::path>& more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  for (const ClothDescription& cloth : scene.cloths) {
    if (cloth.mesh.is<MeshFile>())
      add(mesh_files(resolve_path(cloth.mesh.as<MeshFile>().path, cloth.mesh.where)));
    for (const PaintDescription& paint : cloth.paint)
      if (!paint.texture.empty()) files.push_back(resolve_path(paint.texture, paint.where));
  }
  for (const RodDescription& rod : scene.rods)
    if (rod.curve.is<CurveFile>())
      add(mesh_files(resolve_path(rod.curve.as<CurveFile>().path, rod.curve.where)));
  for (const ObstacleDescription& obstacle : scene.obstacles) {
    if (obstacle.mesh.is<MeshFile>())
      add(mesh_files(resolve_path(obstacle.mesh.as<MeshFile>().path, obstacle.mesh.where)));
    if (obstacle.sequence) add(sequence_files(obstacle.sequence, folder_of(obstacle.sequence.where)));
  }
  for (const BodyDescription& body : scene.bodies)
    if (body.mesh.is<MeshFile>())
      add(mesh_files(resolve_path(body.mesh.as<MeshFile>().path, body.mesh.where)));
  return files;
}

}  // namespace

std::map<std::string, std::string> input_hashes(const SceneDescription& scene) {
  std::map<std::string, std::string> hashes;
  for (const std::filesystem::path& file : input_files(scene)) {
    const Result<std::string> bytes = read_file(file);
    if (!bytes) continue;
    Hash hash;
    hash.add_bytes(std::as_bytes(std::span(bytes->data(), bytes->size())));
    hashes[name_beside(scene.file, file)] = hash_text(hash.value());
  }
  return hashes;
}

Diagnostics changed_inputs(const RunRecord& record, const SceneDescription& scene) {
  Diagnostics changed;
  for (const auto& [name, hash] : input_hashes(scene)) {
    const auto recorded = record.input_hashes.find(name);
    if (recorded != record.input_hashes.end() && recorded->second != hash)
      changed.error({resolve_path(name, {scene.file.string()}).string()},
                    "the file was changed since the run was started",
                    "restore it, or start the run anew with --overwrite");
  }
  return changed;
}

}  // namespace heddle
