#pragma once

#include <heddle/render/camera.h>
#include <heddle/render/colour_field.h>

namespace heddle {

/// Triangles ready to be drawn, in world space.
struct Surface {
  bool cloth = false;
  std::vector<Vec3f> positions;  // m
  std::vector<Vec3f> unrounded;  // m, of refined cloth: on the triangles that it came from
  std::vector<Triangle> triangles;
  std::vector<Vec3f> corner_normals;        // unit, three per triangle
  std::vector<Eigen::Vector2f> uv;          // per vertex, m; may be empty
  std::vector<float> values;                // per vertex, the field that colours show; may be empty
  std::vector<std::int32_t> face_material;  // may be empty
  std::vector<Vec3f> face_colours;          // linear RGB, instead of fabric and values; may be empty
};

/// A cloth with area-weighted vertex normals. Coarse meshes are refined along their normals, as PN triangles
/// do, so that folds and outlines look round; those whose faces have colours are left as they are.
Surface cloth_surface(const SnapshotObject& object, const SnapshotObjectFrame& frame, ColourField field);

/// Normals that are smooth over the whole surface.
void set_smooth_normals(Surface& surface);

/// A posed obstacle; normals are smooth except across creases.
Surface obstacle_surface(const SnapshotObject& object, const SnapshotObjectFrame& frame);

Bounds bounds_of(const Surface& surface);

/// Height of the obstacle if it is a flat, level sheet: scenes use those as ground.
std::optional<float> level_height(const Surface& surface);

/// Box around what a picture should show: all cloth, and obstacles as far as they are near it; no ground.
Bounds snapshot_bounds(const SnapshotModel& model, const Snapshot& snapshot);

}  // namespace heddle
