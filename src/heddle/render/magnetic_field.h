#pragma once

#include <heddle/io/snapshot.h>
#include <heddle/magnetics/coil.h>
#include <heddle/magnetics/dipole_list.h>
#include <heddle/render/camera.h>

#include <vector>

namespace heddle {

/// The field of the magnets and coils of a frame.
class MagneticField {
 public:
  explicit MagneticField(const Snapshot& snapshot);

  /// Flux density, T; inside magnets it is that of their cells.
  Vec3 at(const Vec3& place) const;

 private:
  struct Cells {
    DipoleList dipoles;
    double nearest = 0;  // m
  };
  std::vector<Cells> cells_;
  std::vector<PlacedCoil> coils_;
};

bool is_magnetic(const Snapshot& snapshot);

/// The space around all that is magnetic in which a picture shows the field; not below a level ground. Empty
/// without magnets.
Bounds field_region(const SnapshotModel& model, const Snapshot& snapshot);

/// Whether a place is inside a closed object.
class InsideTest {
 public:
  InsideTest(const SnapshotObject& object, const SnapshotObjectFrame& frame);
  bool operator()(const Vec3& place) const;

 private:
  std::vector<std::array<Vec3, 3>> faces_;
  Eigen::AlignedBox3d box_;
};

}  // namespace heddle
