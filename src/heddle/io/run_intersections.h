#pragma once

#include <heddle/io/run_folder.h>

#include <compare>

namespace heddle {

/// Intersecting pairs of triangles of two objects, by their index in SnapshotModel::objects; first <= second,
/// equal for an object with itself.
struct ObjectIntersections {
  size_t first = 0, second = 0;
  std::int64_t count = 0;
};

/// A triangle, by the index of its object in SnapshotModel::objects and its own there.
struct FaceOfObject {
  size_t object = 0, face = 0;
  auto operator<=>(const FaceOfObject&) const = default;
};

struct FrameIntersections {
  std::int64_t frame = 0;
  double time = 0;  // s
  std::int64_t count = 0;
  std::vector<ObjectIntersections> objects;  // those that intersect, the most first
  std::vector<FaceOfObject> faces;           // that intersect anything, ascending
};

/// Counts, exactly, the intersections in a frame as it was written (in single precision): of cloths with
/// themselves, with each other, and with the triangles that obstacles are drawn with; of obstacles with each
/// other none. The frame must fit the model; `name` is for messages. Errors: coordinates that are not finite.
Result<FrameIntersections> snapshot_intersections(const SnapshotModel& model, const Snapshot& snapshot,
                                                  const std::string& name);
/// The same for a frame of a run; `position` counts the frames present from 0. Errors: unreadable frames too.
Result<FrameIntersections> frame_intersections(const RunReader& run, int position);

}  // namespace heddle
