#pragma once

#include <heddle/io/run_folder.h>

namespace heddle {

/// Intersecting pairs of triangles of two objects, by their index in SnapshotModel::objects; first <= second,
/// equal for an object with itself.
struct ObjectIntersections {
  size_t first = 0, second = 0;
  std::int64_t count = 0;
};

struct FrameIntersections {
  std::int64_t frame = 0;
  double time = 0;  // s
  std::int64_t count = 0;
  std::vector<ObjectIntersections> objects;  // those that intersect, the most first
};

/// Counts, exactly, the intersections in a frame as it was written (in single precision): of cloths with
/// themselves, with each other, and with the triangles that obstacles are drawn with; of obstacles with each
/// other none. `position` counts the frames present from 0. Errors: unreadable frames, coordinates that are
/// not finite.
Result<FrameIntersections> frame_intersections(const RunReader& run, int position);

}  // namespace heddle
