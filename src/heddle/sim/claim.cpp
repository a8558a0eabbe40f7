#include <heddle/sim/claim.h>

#include <heddle/core/text.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/frame_survey.h>
#include <heddle/sim/checkpoint.h>
#include <heddle/sim/input_files.h>

#include <cmath>
#include <set>

namespace heddle {

namespace fs = std::filesystem;

namespace {

/// A run that was killed before it wrote its record leaves at most unfinished files.
bool is_empty_run(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (!is_temporary_name(entry.path()) && entry.path() != RunFolder(folder).lock()) return false;
  return !error;
}

/// The part of the path that is a file, so that no folder can be made there; empty if there is none.
fs::path file_in_the_way(const fs::path& folder) {
  std::error_code error;
  fs::path part;
  for (const auto& name : folder) {
    part /= name;
    if (fs::exists(part, error) && !fs::is_directory(part, error)) return part;
  }
  return {};
}

bool is_numbered(const fs::path& file, const char* ending) {
  const std::string stem = file.stem().string();
  return file.extension() == ending && stem.find_first_not_of("0123456789") == std::string::npos;
}

/// A killed export has not listed its files yet, so they are known by their endings.
bool is_exported(const fs::path& file) {
  static const std::set<std::string> endings{".obj", ".mtl", ".ply",  ".pc2", ".vtp",
                                             ".pvd", ".glb", ".usda", ".html"};
  return file.filename() == "heddle-export.json" || endings.contains(file.extension().string());
}

/// Something below that no run wrote; empty if there is none.
fs::path foreign_content(const RunFolder& run) {
  std::error_code error;
  const auto is_ours = [&](const fs::path& path, const auto& by_name) {
    return fs::is_regular_file(path) && (is_temporary_name(path) || by_name(path));
  };
  for (const auto& entry : fs::directory_iterator(run.frames(), error))
    if (!is_ours(entry.path(), [](const fs::path& p) { return is_numbered(p, ".snap"); }))
      return entry.path();
  for (const auto& entry : fs::directory_iterator(run.checkpoints(), error))
    if (!is_ours(entry.path(),
                 [&](const fs::path& p) { return is_numbered(p, ".state") || p == failed_state_file(run); }))
      return entry.path();
  for (const auto& entry : fs::directory_iterator(run.exports(), error)) {
    if (!entry.is_directory() && !is_ours(entry.path(), is_exported)) return entry.path();
    for (const auto& file : fs::directory_iterator(entry.path(), error))
      if (!is_ours(file.path(), is_exported)) return file.path();
  }
  return {};
}

/// Without its record a folder is only taken for a run if its model is one of Heddle's and there is nothing
/// in it that a run does not write.
bool is_run_without_record(const RunFolder& run) {
  std::error_code error;
  const std::set<fs::path> files{run.run_json(), run.metrics_csv(), run.workers_csv(), run.model(),
                                 run.lock()};
  const std::set<fs::path> folders{run.frames(), run.checkpoints(), run.exports()};
  for (const auto& entry : fs::directory_iterator(run.root(), error)) {
    const fs::file_status kind = entry.symlink_status();
    const bool is_file =
        fs::is_regular_file(kind) && (files.contains(entry.path()) || is_temporary_name(entry.path()));
    if (!is_file && !(fs::is_directory(kind) && folders.contains(entry.path()))) return false;
  }
  return !error && read_model(run.model()).ok() && foreign_content(run).empty();
}

Status claim_without_record(const RunOptions& options) {
  const RunFolder folder(options.folder);
  const std::string name = options.folder.string();
  if (!is_record_cut(folder) || !is_run_without_record(folder))
    return failure({name}, "the folder is not empty and holds no run of Heddle",
                   "choose a new folder with -o");
  if (options.overwrite) return Done{};
  return failure({folder.run_json().string()}, "the record of the run is empty or damaged",
                 "replace the run with --overwrite, or choose another -o");
}

}  // namespace

Status claim_folder(const RunOptions& options, const SceneDescription& scene, const std::string& hash) {
  const RunFolder folder(options.folder);
  const std::string name = options.folder.string();
  std::error_code error;
  if (const fs::path file = file_in_the_way(options.folder); !file.empty())
    return failure({name}, "\"" + file.string() + "\" is a file, not a folder", "choose another -o");
  if (!fs::exists(options.folder, error)) {
    if (options.resume)
      return failure({name}, "there is no run to resume", "leave --resume away to start one");
    return Done{};
  }
  if (is_empty_run(options.folder)) return Done{};
  const Result<RunRecord> record = read_record(folder);
  if (!record) return claim_without_record(options);
  if (options.resume && record->scene_hash != hash)
    return failure({name},
                   "the run in this folder is of another scene or an edited one (" + record->scene_file + ")",
                   "restore the scene, or start anew in another folder");
  if (options.resume)
    if (const Diagnostics changed = changed_inputs(*record, scene); changed.has_errors()) return changed;
  if (!options.resume && !options.overwrite)
    return failure({name}, "the folder holds a run already",
                   "continue it with --resume, replace it with --overwrite, or choose another -o");
  if (const fs::path foreign = options.overwrite ? foreign_content(folder) : fs::path(); !foreign.empty())
    return failure({foreign.string()}, "no run wrote this, and --overwrite would remove it",
                   "move it out of the run folder");
  return Done{};
}

std::optional<RunRecord> record_beyond(const RunFolder& folder, double until, double frame_rate) {
  const std::int64_t wanted = std::llround(until * frame_rate);
  const Result<RunReader> reader = RunReader::open(folder.root());
  Result<RunRecord> record = read_record(folder);
  if (!reader || !record || record->frame < wanted || reader->last_frame() <= wanted) return std::nullopt;
  if (!survey_frames(*reader).good()) return std::nullopt;
  record->status = "unchanged";
  record->reason = "the run already reaches " +
                   number_text(static_cast<double>(reader->last_frame()) / frame_rate) + " s, beyond " +
                   number_text(until) + " s";
  return std::move(*record);
}

void remove_unfinished_files(const RunFolder& folder) {
  for (const auto& file : {folder.run_json(), folder.metrics_csv(), folder.workers_csv(), folder.model()})
    remove_temporaries_of(file);
  for (const auto& path : {folder.frames(), folder.checkpoints()}) remove_temporaries(path);
  // Others may be exporting into these.
  std::error_code error;
  remove_stale_temporaries(folder.exports(), std::chrono::seconds(0));
  for (const auto& entry : fs::directory_iterator(folder.exports(), error))
    remove_stale_temporaries(entry.path(), std::chrono::seconds(0));
}

Status remove_old_run(const RunFolder& folder) {
  std::error_code error;
  // If this is killed, the record still tells that the folder is a run, and nothing resumes without the
  // frames.
  for (const auto& path : {folder.checkpoints(), folder.frames(), folder.model(), folder.metrics_csv(),
                           folder.workers_csv(), folder.exports(), folder.run_json()}) {
    fs::remove_all(path, error);
    if (error)
      return failure({path.string()}, "cannot remove the old run: " + error.message(),
                     "check the permissions");
  }
  return Done{};
}

}  // namespace heddle
