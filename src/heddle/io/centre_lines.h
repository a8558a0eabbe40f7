#pragma once

#include <heddle/io/snapshot.h>

namespace heddle {

/// A rod as its centre lines instead of the tube around them: its points are vertices, its lines have the
/// materials of their faces, and it has no triangles.
SnapshotObject centre_lines(const SnapshotObject& rod);

/// The moving part of centre_lines(): velocities and pressures by point, strains by line.
SnapshotObjectFrame centre_lines(const SnapshotObject& rod, const SnapshotObjectFrame& frame);

/// Whether an object is what centre_lines() makes.
inline bool is_of_lines(const SnapshotObject& object) {
  return object.triangles.empty() && !object.curves.empty();
}

/// The lines as rows of points, each as long as lines follow each other; a ring ends with its first point.
std::vector<std::vector<std::int32_t>> polylines(const SnapshotCurves& curves);

}  // namespace heddle
