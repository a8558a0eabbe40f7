#include <heddle/sim/prepared_obstacle.h>

#include <heddle/geometry/tessellate.h>
#include <heddle/io/mesh_sequence.h>
#include <heddle/mesh/check.h>
#include <heddle/sim/loaded_mesh.h>

namespace heddle {

namespace {

/// Distance that cloth keeps from a mesh if the scene does not say, m.
constexpr double kUsualThickness = 1e-3;

/// Reports what is wrong with a mesh; false if it cannot be an obstacle.
bool is_fit(const ObstacleDescription& obstacle, const Entity& source, const TriangleMesh& mesh,
            Diagnostics& diagnostics) {
  Diagnostics found = check_obstacle_mesh(mesh, {});
  if (source.description().category == "mesh") found = with_remedy_for(source, "obstacle", found);
  append_at(source.where, "obstacle \"" + obstacle.name + "\": ", found, diagnostics);
  return !found.has_errors();
}

bool load(const ObstacleDescription& obstacle, MovingSurface& surface, Diagnostics& diagnostics) {
  std::optional<TriangleMesh> mesh;
  if (obstacle.mesh) {
    mesh = load_mesh(obstacle.mesh, diagnostics);
  } else {
    const Entity& source = obstacle.sequence;
    Diagnostics warnings;
    Result<MeshSequence> sequence = load_sequence(source, folder_of(source.where), &warnings);
    append_at(source.where, "", warnings, diagnostics);
    if (!sequence) append_at(source.where, "", sequence.errors(), diagnostics);
    if (sequence) surface.samples = std::move(sequence->samples);
    if (sequence) mesh = std::move(sequence->mesh);
  }
  if (!mesh || !is_fit(obstacle, obstacle.mesh ? obstacle.mesh : obstacle.sequence, *mesh, diagnostics))
    return false;
  surface.vertices = std::move(mesh->positions);
  surface.triangles = std::move(mesh->triangles);
  return true;
}

}  // namespace

std::optional<ObstaclePart> prepare_obstacle(const ObstacleDescription& obstacle, Diagnostics& diagnostics) {
  ObstaclePart part{.name = obstacle.name,
                    .friction = {obstacle.stiction * obstacle.friction, obstacle.friction}};
  MovingSurface surface;
  surface.motion = obstacle.motion;
  if (obstacle.shape) {
    part.shape = shape_of(obstacle.shape).value();
    SurfaceMesh mesh = tessellate(*part.shape);
    surface.vertices = std::move(mesh.positions);
    surface.triangles = std::move(mesh.triangles);
  } else {
    part.thickness = obstacle.thickness.value_or(kUsualThickness);
    if (!load(obstacle, surface, diagnostics)) return std::nullopt;
  }
  part.surface = std::make_shared<const MovingSurface>(std::move(surface));
  return part;
}

}  // namespace heddle
