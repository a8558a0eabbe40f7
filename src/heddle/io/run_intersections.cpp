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
  std::vector<FaceOfObject> faces;  // per triangle
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
  for (size_t face = 0; face < object.triangles.size(); ++face) faces.push_back({index, face});
}

void Merged::add(const SnapshotModel& model, const Snapshot& snapshot, SnapshotObject::Kind kind) {
  for (size_t i = 0; i < model.objects.size(); ++i)
    if (model.objects[i].kind == kind) add(i, model.objects[i], snapshot.objects[i]);
}

std::vector<ObjectIntersections> by_objects(const Intersections& found,
                                            const std::vector<FaceOfObject>& faces) {
  std::map<std::pair<size_t, size_t>, std::int64_t> counts;
  for (const auto& [s, t] : found.pairs) {
    const size_t first = faces[static_cast<size_t>(s)].object, second = faces[static_cast<size_t>(t)].object;
    ++counts[std::minmax(first, second)];
  }
  std::vector<ObjectIntersections> result;
  for (const auto& [objects, count] : counts) result.push_back({objects.first, objects.second, count});
  std::ranges::stable_sort(result, std::greater<>(), &ObjectIntersections::count);
  return result;
}

std::vector<FaceOfObject> faces_of(const Intersections& found, const std::vector<FaceOfObject>& faces) {
  std::vector<FaceOfObject> result;
  for (const auto& pair : found.pairs)
    for (const int triangle : pair) result.push_back(faces[static_cast<size_t>(triangle)]);
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

Result<FrameIntersections> snapshot_intersections(const SnapshotModel& model, const Snapshot& snapshot,
                                                  const std::string& name) {
  Merged all;
  all.add(model, snapshot, SnapshotObject::Kind::cloth);
  all.cloth_triangles = static_cast<int>(all.triangles.size());
  all.add(model, snapshot, SnapshotObject::Kind::obstacle);
  if (!all.not_finite.empty())
    return failure({name},
                   fmt::format("object \"{}\" holds numbers that are not finite",
                               model.objects[all.not_finite.front()].name),
                   "the run failed here: repeat it with a smaller time step");
  const Intersections found = count_intersections(
      all.positions, all.triangles,
      {.first_obstacle_triangle = all.cloth_triangles, .max_pairs = std::numeric_limits<int>::max()});
  return FrameIntersections{snapshot.frame, snapshot.time, found.count, by_objects(found, all.faces),
                            faces_of(found, all.faces)};
}

Result<FrameIntersections> frame_intersections(const RunReader& run, int position) {
  const Result<Snapshot> snapshot = run.read(position);
  if (!snapshot) return snapshot.errors();
  const std::int64_t frame = run.frame_indices()[static_cast<size_t>(position)];
  return snapshot_intersections(run.model(), *snapshot, run.folder().frame(frame).string());
}

}  // namespace heddle
