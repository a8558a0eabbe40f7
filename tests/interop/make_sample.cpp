// Writes the sample run, exports it in every format, and beside it reference.json: what readers must find.
#include "../io/sample_run.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/export.h>

#include <iostream>
#include <nlohmann/json.hpp>

namespace {

using namespace heddle;
using Json = nlohmann::json;

Json flat(const std::vector<Vec3f>& values) {
  Json list = Json::array();
  for (const Vec3f& value : values) list.insert(list.end(), {value.x(), value.y(), value.z()});
  return list;
}

/// Computed from the sample itself, not through the exporters.
Json positions_of(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  if (!frame.positions.empty()) return flat(frame.positions);
  Json list = Json::array();
  for (const Vec3f& local : object.rest_positions) {
    const Vec3 x = frame.pose.rotation.toRotationMatrix() * local.cast<double>() + frame.pose.translation;
    list.insert(list.end(), {x.x(), x.y(), x.z()});
  }
  return list;
}

Json reference() {
  const SnapshotModel model = sample_model();
  Json json{{"frame_rate", model.frame_rate}, {"objects", Json::array()}, {"frames", Json::array()}};
  for (const SnapshotObject& object : model.objects)
    json["objects"].push_back({{"name", object.name},
                               {"kind", object.kind == SnapshotObject::Kind::cloth ? "cloth" : "obstacle"},
                               {"triangles", object.triangles},
                               {"material", object.face_material}});
  for (int k = 0; k < kSampleFrames; ++k) {
    const Snapshot snapshot = sample_snapshot(k);
    Json objects = Json::array();
    for (size_t i = 0; i < model.objects.size(); ++i)
      objects.push_back({{"positions", positions_of(model.objects[i], snapshot.objects[i])},
                         {"velocities", flat(snapshot.objects[i].velocities)},
                         {"strains", flat(snapshot.objects[i].strains)}});
    json["frames"].push_back({{"number", snapshot.frame}, {"time", snapshot.time}, {"objects", objects}});
  }
  return json;
}

bool report(const Status& status) {
  if (!status) std::cerr << status.errors().text();
  return status.ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  if (!write_sample_run(folder / "run")) return 1;
  const Result<RunReader> run = RunReader::open(folder / "run");
  if (!run) return 1;
  bool good = report(write_file_atomically(folder / "reference.json", reference().dump()));
  for (const ExportFormat& format : export_formats())
    good &= report(export_run(*run, {.format = format.name, .out = folder / format.name}));
  return good ? 0 : 1;
}
