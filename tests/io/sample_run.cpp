#include "sample_run.h"

namespace heddle {
namespace {

constexpr double kFrameRate = 25;  // 1/s

SnapshotObject grid(const std::string& name, int cells, float height) {
  SnapshotObject object;
  object.name = name;
  object.thickness = 0.001f;
  const float step = 1.0f / static_cast<float>(cells);
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i)
      object.rest_positions.emplace_back(static_cast<float>(i) * step, static_cast<float>(j) * step, height);
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
      object.triangles.push_back({a, b, d});
      object.triangles.push_back({a, d, c});
    }
  return object;
}

SnapshotObject tetrahedron() {
  SnapshotObject object;
  object.kind = SnapshotObject::Kind::obstacle;
  object.name = "rock & stone";
  object.rest_positions = {{0, 0, 0}, {0.3f, 0, 0}, {0, 0.3f, 0}, {0, 0, 0.3f}};
  object.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  return object;
}

/// A deforming obstacle.
SnapshotObject hammock() {
  SnapshotObject object = grid("hammock", 2, 3);
  object.kind = SnapshotObject::Kind::obstacle;
  return object;
}

SnapshotObjectFrame waved(const SnapshotObject& object, double time) {
  SnapshotObjectFrame frame;
  for (const Vec3f& rest : object.rest_positions) {
    const float phase = static_cast<float>(7 * time) + 3 * rest.x() + 2 * rest.y();
    frame.positions.push_back(rest + Vec3f(0, 0.02f * std::cos(phase), 0.1f * std::sin(phase)));
    frame.velocities.emplace_back(0, -0.14f * std::sin(phase), 0.7f * std::cos(phase));
    frame.pressures.push_back(std::max(0.0f, 0.01f * std::sin(phase)));
  }
  for (size_t i = 0; i < object.triangles.size(); ++i)
    frame.strains.emplace_back(0.01f * static_cast<float>(i), -0.02f, static_cast<float>(time));
  return frame;
}

}  // namespace

SnapshotModel sample_model() {
  SnapshotModel model;
  model.frame_rate = kFrameRate;
  model.objects = {grid("flag", 4, 1), tetrahedron(), grid("scarf", 2, 2), hammock()};
  for (const Vec3f& rest : model.objects[0].rest_positions)
    model.objects[0].uv.emplace_back(rest.x(), rest.y());
  model.materials = {{.name = "cotton"}, {.name = "silk \"gold\"", .front_colour = Vec3f(0.8f, 0.6f, 0.1f)}};
  for (size_t i = 0; i < model.objects[0].triangles.size(); ++i)
    model.objects[0].face_material.push_back(i < 10 ? 0 : 1);
  model.objects[2].face_material.assign(model.objects[2].triangles.size(), 1);
  model.objects[2].elements = {{"springs", SnapshotElements::Shape::line, {0, 1, 1, 2}},
                               {"membrane", SnapshotElements::Shape::face, {0, 1, 4}}};
  return model;
}

Snapshot sample_snapshot(int frame) {
  const SnapshotModel model = sample_model();
  Snapshot snapshot{frame, frame / kFrameRate, {}};
  for (const SnapshotObject& object : model.objects) {
    if (object.kind == SnapshotObject::Kind::cloth) {
      snapshot.objects.push_back(waved(object, snapshot.time));
      if (object.elements.empty()) continue;
      snapshot.objects.back().treatments = {SnapshotTreatment::inactive, SnapshotTreatment::explicitly,
                                            SnapshotTreatment::implicitly};
      snapshot.objects.back().components.assign(object.rest_positions.size(), frame);
      snapshot.objects.back().paces.assign(object.rest_positions.size(),
                                           0.001f * static_cast<float>(frame + 1));
      continue;
    }
    if (object.name == "hammock") {
      snapshot.objects.emplace_back().positions = waved(object, snapshot.time).positions;
      continue;
    }
    snapshot.objects.emplace_back().pose = {rotation_from_degrees({0, 50.0 * frame, 20.0 * frame}),
                                            Vec3(0.1 * frame, -1, 0.5)};
  }
  return snapshot;
}

bool write_sample_run(const std::filesystem::path& folder) {
  const RunFolder run(folder);
  bool good = write_model(run.model(), sample_model()).ok();
  for (int frame = 0; frame < kSampleFrames; ++frame)
    good &= write_snapshot(run.frame(frame), sample_snapshot(frame)).ok();
  return good;
}

}  // namespace heddle
