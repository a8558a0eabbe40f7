#pragma once

#include <heddle/math/rigid_transform.h>
#include <heddle/math/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// One drawable thing of a run, the part that never changes.
/// In every frame it has its positions, or, if it is a rigid obstacle, only the pose of its mesh.
struct SnapshotObject {
  enum class Kind : std::uint8_t { cloth, obstacle };
  Kind kind = Kind::cloth;
  std::string name;
  std::vector<Triangle> triangles;
  std::vector<Vec3f> rest_positions;        // m, where it starts; rigid obstacle: in its own frame
  std::vector<Eigen::Vector2f> uv;          // cloth: 2D rest coordinates in m (weft, warp); may be empty
  std::vector<std::int32_t> face_material;  // cloth: index into SnapshotModel::materials, per face
  float thickness = 0;                      // m
};

/// What a fabric looks like when drawn.
struct SnapshotMaterial {
  std::string name;
  Vec3f front_colour{0.75f, 0.2f, 0.2f};  // linear RGB in [0, 1]
  Vec3f back_colour{0.6f, 0.6f, 0.6f};
  std::string pattern = "weave";  // "plain", "weave", "checker"
  float pattern_size = 0.02f;     // m
};

/// Everything drawable that stays the same over a run.
struct SnapshotModel {
  std::vector<SnapshotObject> objects;
  std::vector<SnapshotMaterial> materials;
  double frame_rate = 25;  // frames a second
};

/// The moving part of one object; which arrays are filled depends on the object's kind.
struct SnapshotObjectFrame {
  std::vector<Vec3f> positions;   // cloth and deforming obstacle: m
  std::vector<Vec3f> velocities;  // cloth: m/s
  std::vector<Vec3f> strains;     // cloth, per face: Green strain (weft, warp, shear)
  std::vector<float> pressures;   // cloth: N, how hard obstacles and surfaces press; may be empty
  RigidTransform pose;            // rigid obstacle
};

/// Where a vertex is in the world, m.
inline Vec3 world_position(const SnapshotObject& object, const SnapshotObjectFrame& frame, size_t vertex) {
  if (!frame.positions.empty()) return frame.positions[vertex].cast<double>();
  return frame.pose.point(object.rest_positions[vertex].cast<double>());
}

/// One immutable picture of the simulation, in the order of SnapshotModel::objects.
struct Snapshot {
  std::int64_t frame = 0;
  double time = 0;  // s
  std::vector<SnapshotObjectFrame> objects;
};

}  // namespace heddle
