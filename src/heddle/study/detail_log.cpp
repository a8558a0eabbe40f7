#include <heddle/study/detail_log.h>

#include <heddle/io/run_folder.h>
#include <heddle/io/run_record.h>
#include <heddle/mesh/fold_detail.h>

#include <numeric>

namespace heddle {

double DetailLog::Series::mean() const {
  return values.empty()
             ? 0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Result<DetailLog> read_detail_log(const std::filesystem::path& folder) {
  const Result<RunReader> run = RunReader::open(folder);
  if (!run) return run.errors();
  const Result<RunRecord> record = read_record(run->folder());
  if (!record) return record.errors();
  DetailLog log{.title = record->title, .time = {}, .series = {}};
  std::vector<size_t> cloths;
  std::vector<Topology> topologies;
  const std::vector<SnapshotObject>& objects = run->model().objects;
  for (size_t k = 0; k < objects.size(); ++k) {
    if (objects[k].kind != SnapshotObject::Kind::cloth) continue;
    cloths.push_back(k);
    topologies.push_back(
        make_topology(static_cast<int>(objects[k].rest_positions.size()), objects[k].triangles));
    log.series.push_back({objects[k].name, {}});
  }
  if (cloths.empty())
    return failure({folder.string()}, "the run has no cloth", "give a folder of a scene with cloth");
  for (int frame = 0; frame < run->frame_count(); ++frame) {
    const Result<Snapshot> snapshot = run->read(frame);
    if (!snapshot) return snapshot.errors();
    log.time.push_back(snapshot->time);
    for (size_t k = 0; k < cloths.size(); ++k) {
      std::vector<Vec3> positions;
      for (const Vec3f& x : snapshot->objects[cloths[k]].positions) positions.push_back(x.cast<double>());
      log.series[k].values.push_back(fold_detail(positions, objects[cloths[k]].triangles, topologies[k]));
    }
  }
  return log;
}

LinePlot detail_plot(const DetailLog& log) {
  LinePlot plot;
  plot.title = "Folds: " + log.title;
  plot.x = {.title = "time", .unit = "s"};
  plot.y = {.title = "mean absolute curvature", .unit = "1/m"};
  for (const DetailLog::Series& series : log.series)
    plot.series.push_back({.name = series.name, .x = log.time, .y = series.values});
  return plot;
}

}  // namespace heddle
