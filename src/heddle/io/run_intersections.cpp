#include <heddle/io/run_intersections.h>
#include <heddle/mesh/intersection_count.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle {

namespace {

/// All objects in one mesh, cloths first.
struct Merged {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<size_t> object_of;  // per triangle
  int cloth_triangles = 0;
  std::vector<size_t> not_finite;  // objects that are left out

  void add(const SnapshotModel& model, const Snapshot& snapshot, SnapshotObject::Kind kind);
  void add(size_t index, const SnapshotObject& object, const SnapshotObjectFrame& frame);
};

std::vector<Vec3> world_positions(const SnapshotObject& object, SnapshotObjectFrame frame) {
  std::vector<Vec3> positions;
  frame.pose.rotation.normalize();
  for (size_t i = 0; i < object.rest_positions.size(); ++i)
    positions.push_back(world_position(object, frame, i));
  return positions;
}

void Merged::add(size_t index, const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  const std::vector<Vec3> world = world_positions(object, frame);
  if (!std::ranges::all_of(world, [](const Vec3& x) { return x.allFinite(); })) {
    not_finite.push_back(index);
    return;
  }
  const int offset = static_cast<int>(positions.size());
  positions.insert(positions.end(), world.begin(), world.end());
  for (const auto& [a, b, c] : object.triangles) triangles.push_back({a + offset, b + offset, c + offset});
  object_of.resize(triangles.size(), index);
}

void Merged::add(const SnapshotModel& model, const Snapshot& snapshot, SnapshotObject::Kind kind) {
  for (size_t i = 0; i < model.objects.size(); ++i)
    if (model.objects[i].kind == kind) add(i, model.objects[i], snapshot.objects[i]);
}

std::vector<ObjectIntersections> by_objects(const Intersections& found,
                                            const std::vector<size_t>& object_of) {
  std::map<std::pair<size_t, size_t>, std::int64_t> counts;
  for (const auto& [s, t] : found.pairs) {
    const size_t first = object_of[static_cast<size_t>(s)], second = object_of[static_cast<size_t>(t)];
    ++counts[std::minmax(first, second)];
  }
  std::vector<ObjectIntersections> result;
  for (const auto& [objects, count] : counts) result.push_back({objects.first, objects.second, count});
  std::ranges::stable_sort(result, std::greater<>(), &ObjectIntersections::count);
  return result;
}

}  // namespace

Result<FrameIntersections> frame_intersections(const RunReader& run, int position) {
  const Result<Snapshot> snapshot = run.read(position);
  if (!snapshot) return snapshot.errors();
  Merged all;
  all.add(run.model(), *snapshot, SnapshotObject::Kind::cloth);
  all.cloth_triangles = static_cast<int>(all.triangles.size());
  all.add(run.model(), *snapshot, SnapshotObject::Kind::obstacle);
  const std::int64_t frame = run.frame_indices()[static_cast<size_t>(position)];
  if (!all.not_finite.empty())
    return failure({run.folder().frame(frame).string()},
                   fmt::format("object \"{}\" holds numbers that are not finite",
                               run.model().objects[all.not_finite.front()].name),
                   "the run failed here: repeat it with a smaller time step");
  const Intersections found = count_intersections(
      all.positions, all.triangles,
      {.first_obstacle_triangle = all.cloth_triangles, .max_pairs = std::numeric_limits<int>::max()});
  return FrameIntersections{frame, snapshot->time, found.count, by_objects(found, all.object_of)};
}

}  // namespace heddle
