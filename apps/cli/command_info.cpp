#include "commands.h"
#include "terminal.h"

#include <heddle/core/text.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/frame_survey.h>
#include <heddle/io/run_intersections.h>
#include <heddle/io/run_lock.h>
#include <heddle/io/run_record.h>
#include <heddle/sim/checkpoint.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <sstream>

namespace heddle::cli {

namespace {

using nlohmann::json;

/// Largest and smallest value of a column of metrics.csv over all frames.
std::optional<std::array<double, 2>> column_range(const std::string& csv, const std::string& name) {
  std::istringstream lines(csv);
  std::string line, cell;
  std::getline(lines, line);
  int column = -1, index = 0;
  for (std::istringstream cells(line); std::getline(cells, cell, ','); ++index)
    if (cell == name) column = index;
  if (column < 0) return std::nullopt;
  std::optional<std::array<double, 2>> range;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    for (int i = 0; i <= column; ++i) std::getline(cells, cell, ',');
    const double value = std::strtod(cell.c_str(), nullptr);
    if (!range) range = {value, value};
    range = {std::min((*range)[0], value), std::max((*range)[1], value)};
  }
  return range;
}

std::uintmax_t folder_bytes(const std::filesystem::path& folder) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file(error)) bytes += entry.file_size(error);
  return bytes;
}

/// The record tells what the run meant to be; whether a process still writes and whether the frames are
/// there, only a look can tell.
std::string status_of(const RunRecord& record, bool in_use, const FrameSurvey& frames) {
  if (in_use) return "running";
  if (record.status == "running") return "aborted";
  return record.status == "complete" && !frames.good() ? "damaged" : record.status;
}

void add_survey(const FrameSurvey& survey, json& info) {
  if (survey.good()) return;
  info["missing_frames"] = json::array();
  for (const FrameRange& range : survey.missing) info["missing_frames"].push_back({range.first, range.last});
  info["damaged_frames"] = survey.damaged;
  info["problem"] = survey.text();
}

void add_checkpoint(const RunFolder& folder, json& info) {
  Diagnostics unusable;
  if (const auto checkpoint = newest_checkpoint(folder, unusable)) {
    info["state_hash"] = hash_text(state_hash(checkpoint->state));
    info["state_frame"] = checkpoint->frame;
  }
  for (const Diagnostic& item : unusable.items()) info["warnings"].push_back(to_string(item));
}

/// Rigid obstacles have a pose in the frames, deforming ones positions.
json obstacles_json(const RunReader& reader) {
  json list = json::array();
  const std::vector<SnapshotObject>& objects = reader.model().objects;
  const Result<Snapshot> first = reader.frame_count() > 0 ? reader.read(0) : Result<Snapshot>(Snapshot{});
  for (size_t i = 0; i < objects.size(); ++i)
    if (objects[i].kind == SnapshotObject::Kind::obstacle)
      list.push_back(
          {{"name", objects[i].name},
           {"vertices", objects[i].rest_positions.size()},
           {"faces", objects[i].triangles.size()},
           {"deforms", first.ok() && i < first->objects.size() && !first->objects[i].positions.empty()}});
  return list;
}

json collect(const RunReader& reader, const RunRecord& record, bool in_use) {
  const RunFolder& folder = reader.folder();
  const FrameSurvey survey = survey_frames(reader);
  const auto frames = reader.frame_count();
  json info{
      {"folder", folder.root().string()},
      {"status", status_of(record, in_use, survey)},
      {"scene", record.scene_file},
      {"version", record.version},
      {"frames", frames},
      {"time", frames > 0 ? static_cast<double>(reader.frame_indices().back()) / record.frame_rate : 0.0},
      {"frame_rate", record.frame_rate},
      {"time_step", record.time_step},
      {"integrator", record.integrator},
      {"vertices", record.vertices},
      {"faces", record.faces},
      {"obstacles", obstacles_json(reader)},
      {"threads", record.threads},
      {"bytes", folder_bytes(folder.root())},
      {"wall_seconds", record.wall_seconds},
      {"grabbed_steps", record.grabbed_steps},
      {"seconds_per_frame", record.frame > 0 ? record.wall_seconds / static_cast<double>(record.frame) : 0.0},
      {"warnings", record.warnings}};
  if (!record.reason.empty()) info["reason"] = record.reason;
  add_survey(survey, info);
  add_checkpoint(folder, info);
  if (const Result<std::string> csv = read_file(folder.metrics_csv()))
    for (const std::string mode : {"weft", "warp", "shear"}) {
      const auto low = column_range(*csv, mode + "_strain_min"),
                 high = column_range(*csv, mode + "_strain_max");
      if (low && high) info["strain"][mode] = {{"min", (*low)[0]}, {"max", (*high)[1]}};
    }
  return info;
}

json objects_json(const SnapshotModel& model, const FrameIntersections& frame) {
  json list = json::array();
  for (const auto& [first, second, count] : frame.objects)
    list.push_back(
        {{"first", model.objects[first].name}, {"second", model.objects[second].name}, {"count", count}});
  return list;
}

/// Counts in every frame; the worst one by objects.
Result<json> intersections_json(const RunReader& reader) {
  ProgressLine line;
  json frames = json::array();
  FrameIntersections worst;
  std::int64_t total = 0;
  for (int i = 0; i < reader.frame_count(); ++i) {
    line.show(fmt::format("counting intersections: frame {} of {}", i + 1, reader.frame_count()));
    Result<FrameIntersections> frame = frame_intersections(reader, i);
    if (!frame) return frame.errors();
    frames.push_back({{"frame", frame->frame}, {"count", frame->count}});
    total += frame->count;
    if (frame->count > worst.count) worst = std::move(*frame);
  }
  json result{{"total", total}, {"frames", std::move(frames)}};
  if (total > 0)
    result["worst"] = {{"frame", worst.frame},
                       {"time", worst.time},
                       {"count", worst.count},
                       {"objects", objects_json(reader.model(), worst)}};
  return result;
}

void print_intersections(const json& found) {
  const json& frames = found["frames"];
  if (found["total"] == 0) {
    fmt::print("  no intersections in {}\n", counted(std::ssize(frames), "frame"));
    return;
  }
  const auto bad = std::count_if(frames.begin(), frames.end(), [](const json& f) { return f["count"] > 0; });
  const json& worst = found["worst"];
  fmt::print("  {} in {} of {}\n", counted(found["total"].get<std::int64_t>(), "intersection"), bad,
             counted(std::ssize(frames), "frame"));
  fmt::print("  worst frame {} at {} s: {}\n", worst["frame"].get<std::int64_t>(),
             worst["time"].get<double>(), counted(worst["count"].get<std::int64_t>(), "intersection"));
  for (const json& pair : worst["objects"]) {
    const auto first = pair["first"].get<std::string>(), second = pair["second"].get<std::string>();
    fmt::print("    {} of {} with {}\n", pair["count"].get<std::int64_t>(), first,
               first == second ? "itself" : second);
  }
}

std::string size_text(const json& object) {
  return counted(object["vertices"].get<int>(), "vertex", "vertices") + ", " +
         counted(object["faces"].get<int>(), "face");
}

void print_text(const json& info) {
  fmt::print("{} ({}), scene {}\n", info["folder"].get<std::string>(), info["status"].get<std::string>(),
             info["scene"].get<std::string>());
  fmt::print("  {}, {} s at {} frames/s, step {} s\n", counted(info["frames"].get<int>(), "frame"),
             info["time"].get<double>(), info["frame_rate"].get<double>(), info["time_step"].get<double>());
  if (const auto integrator = info["integrator"].get<std::string>(); !integrator.empty())
    fmt::print("  integrator {}\n", integrator);
  fmt::print("  {}, {:.1f} MB on disk\n", size_text(info), 1e-6 * info["bytes"].get<double>());
  for (const json& obstacle : info["obstacles"])
    fmt::print("  obstacle \"{}\": {}{}\n", obstacle["name"].get<std::string>(), size_text(obstacle),
               obstacle["deforms"].get<bool>() ? ", deforms" : "");
  fmt::print("  {:.3f} s per frame on {}, {} in all\n", info["seconds_per_frame"].get<double>(),
             counted(info["threads"].get<int>(), "thread"),
             duration_text(info["wall_seconds"].get<double>()));
  if (const auto grabbed = info["grabbed_steps"].get<std::int64_t>(); grabbed > 0)
    fmt::print("  cloth was held by hand in {}: the scene alone does not give this result\n",
               counted(grabbed, "step"));
  if (info.contains("strain"))
    for (const auto& [mode, range] : info["strain"].items())
      fmt::print("  {:5} strain from {:+.4f} to {:+.4f}\n", mode, range["min"].get<double>(),
                 range["max"].get<double>());
  if (info.contains("state_hash"))
    fmt::print("  state_hash {} at frame {}\n", info["state_hash"].get<std::string>(),
               info["state_frame"].get<long>());
  if (info.contains("intersections")) print_intersections(info["intersections"]);
  const std::string remedy =
      fmt::format("continue with: heddle run {} -o {} --resume", shell_path(info["scene"].get<std::string>()),
                  shell_path(info["folder"].get<std::string>()));
  if (info["status"] == "aborted") fmt::print("  its process ended without a word; {}\n", remedy);
  if (info.contains("problem")) fmt::print("  {}; {}\n", info["problem"].get<std::string>(), remedy);
  if (info.contains("reason")) fmt::print("  failed: {}\n", info["reason"].get<std::string>());
  for (const auto& warning : info["warnings"]) fmt::print("  {}\n", warning.get<std::string>());
}

int execute(const std::string& folder, bool as_json, bool intersections) {
  // Before the record is read: a run that ends in between was running.
  const bool in_use = folder_in_use(RunFolder(folder)).has_value();
  const Result<RunReader> reader = RunReader::open(folder);
  if (!reader) return reject(reader.errors());
  const Result<RunRecord> record = read_record(RunFolder(folder));
  if (!record) return reject(record.errors());
  json info = collect(*reader, *record, in_use);
  if (intersections) {
    Result<json> found = intersections_json(*reader);
    if (!found) return reject(found.errors());
    info["intersections"] = std::move(*found);
  }
  if (as_json)
    fmt::print("{}\n", info.dump(2, ' ', false, json::error_handler_t::replace));
  else
    print_text(info);
  return kSuccess;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
  auto folder = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false), intersections = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("info", "Tell what a run folder holds");
  command->footer(
      "Example: heddle info out/drape_sphere --json\n"
      "         heddle info out/drape_sphere --intersections");
  command->add_option("folder", *folder, "Run folder")->required();
  command->add_flag("--intersections", *intersections,
                    "Count in every frame the triangles of cloths that pass through something");
  command->add_flag("--json", *as_json, "Print as JSON");
  command->callback([=, &action] { action = [=] { return execute(*folder, *as_json, *intersections); }; });
}

}  // namespace heddle::cli
