#pragma once

#include <heddle/math/rigid_transform.h>
#include <heddle/math/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// Elements of one force term that can be drawn; as ElementShapes of dynamics.
struct SnapshotElements {
  enum class Shape : std::uint8_t { line, face, outline };  // outline: of a triangle, within it
  std::string term;
  Shape shape = Shape::line;
  std::vector<std::int32_t> corners;  // vertices of the object, two or three for each element

  size_t corner_count() const { return shape == Shape::line ? 2 : 3; }
  size_t count() const { return corners.size() / corner_count(); }
};

/// How the time integration treats an element; inactive ones have neither force nor Jacobian.
enum class SnapshotTreatment : std::uint8_t { inactive, explicitly, implicitly };

/// The centre lines of a rod, found in the tube that is drawn about them: the middle of a ring of vertices is
/// a point of the rod.
struct SnapshotCurves {
  float radius = 0;                                // m
  std::int32_t ring_size = 0;                      // vertices of a ring
  std::vector<std::int32_t> rings;                 // by point: the first vertex of the ring about it
  std::vector<std::array<std::int32_t, 2>> lines;  // points; rods that meet share them
  std::vector<std::int32_t> faces;                 // by line: one face of the tube about it

  bool empty() const { return lines.empty(); }
};

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
  std::vector<SnapshotElements> elements;   // cloth; empty if all are always treated alike
  SnapshotCurves curves;                    // rods, which are cloth in all else; empty for others
};

inline size_t element_count(const SnapshotObject& object) {
  size_t count = 0;
  for (const SnapshotElements& elements : object.elements) count += elements.count();
  return count;
}

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
  std::vector<Vec3f> positions;               // cloth and deforming obstacle: m
  std::vector<Vec3f> velocities;              // cloth: m/s
  std::vector<Vec3f> strains;                 // cloth, per face: Green strain (weft, warp, shear)
  std::vector<float> pressures;               // cloth: N, how hard obstacles and surfaces press; may be empty
  std::vector<SnapshotTreatment> treatments;  // cloth: of SnapshotObject::elements, one group after the other
  /// cloth: the component of the linear system that each vertex belonged to, -1 if it was fixed; empty if
  /// systems were not decomposed
  std::vector<std::int32_t> components;
  /// cloth: s, from event to event of the quickest element of each vertex, in the mean over the last step;
  /// empty if all elements step alike
  std::vector<float> paces;
  RigidTransform pose;  // rigid obstacle
};

/// Where a vertex is in the world, m.
inline Vec3 world_position(const SnapshotObject& object, const SnapshotObjectFrame& frame, size_t vertex) {
  if (!frame.positions.empty()) return frame.positions[vertex].cast<double>();
  return frame.pose.point(object.rest_positions[vertex].cast<double>());
}

/// What magnets and coils do to something magnetic.
struct SnapshotLoad {
  Vec3 centre = Vec3::Zero();  // m, of what it acts on
  Vec3 force = Vec3::Zero();   // N
  Vec3 torque = Vec3::Zero();  // N m, about the centre
};

/// An object as a magnet: small magnets at places.
struct SnapshotMagnet {
  std::int32_t object = 0;     // index into SnapshotModel::objects
  bool permanent = false;      // otherwise the field of others magnetises it
  float nearest = 0;           // m: its cells do not act from nearer
  std::vector<Vec3f> places;   // m, of its cells
  std::vector<Vec3f> moments;  // A m2
  SnapshotLoad load;
};

/// A closed wire with a current.
struct SnapshotCoil {
  std::vector<Vec3f> points;  // m; the last leads to the first
  double current = 0;         // A, times turns
  SnapshotLoad load;
};

/// One immutable picture of the simulation, in the order of SnapshotModel::objects.
struct Snapshot {
  std::int64_t frame = 0;
  double time = 0;  // s
  std::vector<SnapshotObjectFrame> objects;
  std::vector<SnapshotMagnet> magnets;
  std::vector<SnapshotCoil> coils;
};

}  // namespace heddle
