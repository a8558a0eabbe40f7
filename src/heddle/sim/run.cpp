#include <heddle/sim/run.h>

#include <heddle/core/hash.h>
#include <heddle/core/version.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/export.h>
#include <heddle/io/frame_survey.h>
#include <heddle/io/run_lock.h>
#include <heddle/sim/build.h>
#include <heddle/sim/capture.h>
#include <heddle/sim/checkpoint.h>
#include <heddle/sim/claim.h>
#include <heddle/sim/input_files.h>
#include <heddle/sim/metrics.h>
#include <heddle/sim/run_watch.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<SceneTexts> read_texts(const LoadedScene& scene) {
  SceneTexts texts;
  for (const auto& file : scene.files) {
    const Result<std::string> text = read_file(file);
    if (!text) return text.errors();
    texts[name_beside(scene.description.file, file)] = *text;
  }
  return texts;
}

/// Before the run: it may take hours until the formats are written.
Status check_formats(const LoadedScene& scene, const RunOptions& options) {
  std::vector<std::string> known;
  for (const ExportFormat& format : export_formats()) known.push_back(format.name);
  for (const auto& [name, writer] : options.more_formats) known.push_back(name);
  for (const std::string& format : scene.description.output.formats)
    if (std::find(known.begin(), known.end(), format) == known.end())
      return failure({scene.description.file.string()},
                     "this program cannot write the format " + in_quotes(format) + " of \"output\"",
                     "choose from " + quoted_list(known));
  return Done{};
}

Status export_caches(const RunFolder& folder, const std::vector<std::string>& formats,
                     const std::map<std::string, FormatWriter>& others) {
  if (formats.empty()) return Done{};
  const Result<RunReader> reader = RunReader::open(folder.root());
  if (!reader) return reader.errors();
  for (const std::string& format : formats) {
    if (others.contains(format)) continue;
    ExportOptions options;
    options.format = format;
    options.out = folder.exports() / format;
    options.overwrite = true;
    if (const Status written = export_run(*reader, options); !written) return written;
  }
  return Done{};
}

Status export_others(const RunFolder& folder, const std::vector<std::string>& formats,
                     const std::map<std::string, FormatWriter>& others) {
  for (const std::string& format : formats) {
    const auto other = others.find(format);
    if (other == others.end()) continue;
    const Result<RunReader> reader = RunReader::open(folder.root());
    if (!reader) return reader.errors();
    if (const Status written = other->second(*reader, folder.exports() / (format + "." + format)); !written)
      return written;
  }
  return Done{};
}

/// Keeps warnings in the record and tells them at once.
void warn(const Diagnostics& found, const RunOptions& options, RunRecord& record) {
  for (const Diagnostic& warning : found.items()) {
    record.warnings.push_back(to_string(warning));
    if (options.on_warning) options.on_warning(record.warnings.back());
  }
}

/// One run from its first (or resumed) step to its last.
class Runner {
 public:
  Runner(Simulation simulation, RunRecord record, const RunOptions& options)
      : sim_(std::move(simulation)),
        record_(std::move(record)),
        options_(options),
        folder_(options.folder),
        metrics_(sim_.model),
        pool_(options.threads) {}

  Result<RunRecord> run(const OutputDescription& output) {
    if (const Status started = options_.resume ? resume() : replace(); !started) return started.errors();
    const auto begin = Clock::now();
    const double earlier_seconds = record_.wall_seconds;
    const std::int64_t last_frame = std::llround(record_.until * sim_.model.frame_rate);
    const std::int64_t first_step = sim_.state.step;
    const std::int64_t last_step = last_frame * sim_.model.steps_per_frame;
    record_.status = "running";
    StepSummary frame_summary;
    while (sim_.state.step < last_step && record_.status == "running") {
      if (is_to_stop()) {
        record_.status = "stopped";
        break;
      }
      if (const Status noted = note_grab(); !noted) {
        fail_to_write(noted.errors());
        break;
      }
      const StepSummary summary =
          pool_.run([&] { return step(sim_, [&](const Snapshot& s) { return write(s); }); });
      frame_summary.add(summary);
      if (!written_) {
        fail_to_write(written_.errors());
        break;
      }
      if (summary.outcome != StepOutcome::accepted) {
        fail(summary.reason);
        break;
      }
      warn(watch_.after_step(sim_.model, summary, record_.scene_file), options_, record_);
      report_progress(first_step, last_step, last_frame, seconds_since(begin), summary);
      if (sim_.state.step % sim_.model.steps_per_frame != 0) continue;
      record_.frame = sim_.state.step / sim_.model.steps_per_frame;
      record_.wall_seconds = earlier_seconds + seconds_since(begin);
      warn(watch_.after_frame(sim_.model, sim_.state, record_.scene_file), options_, record_);
      const bool due = record_.frame % output.checkpoint_every == 0 || record_.frame == last_frame;
      if (const Status done = end_frame(frame_summary, due); !done) fail_to_write(done.errors());
      frame_summary = {};
    }
    record_.wall_seconds = earlier_seconds + seconds_since(begin);
    if (record_.status == "running") complete(output.formats);
    return finish(output.formats);
  }

 private:
  /// A run that was asked to stop ends at a whole frame, so that folder, metrics and checkpoint agree.
  bool is_to_stop() {
    stopping_ |= options_.before_step && !options_.before_step(sim_);
    return stopping_ && sim_.state.step % sim_.model.steps_per_frame == 0;
  }

  /// The first grab is written down at once, so that the frames of a run that is killed tell of it.
  Status note_grab() {
    if (!sim_.grab || ++record_.grabbed_steps > 1) return Done{};
    return write_record(folder_, record_);
  }

  void complete(const std::vector<std::string>& formats) {
    record_.status = "complete";
    if (const Status caches = export_caches(folder_, formats, options_.more_formats); !caches)
      fail_to_export(caches.errors());
  }

  RunRecord finish(const std::vector<std::string>& formats) {
    record_.state_hash = hash_text(state_hash(sim_.state));
    if (record_.status == "complete") {
      std::error_code ignored;  // of an earlier session; what is left does no harm
      std::filesystem::remove(failed_state_file(folder_), ignored);
    }
    if (record_.status == "stopped")
      if (const Status saved = write_checkpoint(folder_, {record_.frame, sim_.state}); !saved)
        fail_to_write(saved.errors());
    if (const Status written = write_record(folder_, record_); !written && record_.status != "failed")
      fail_to_write(written.errors());
    if (record_.status != "complete") return record_;
    // After the record, because pages hold it.
    if (const Status others = export_others(folder_, formats, options_.more_formats); !others) {
      fail_to_export(others.errors());
      [[maybe_unused]] const Status ignored = write_record(folder_, record_);  // as in start()
    }
    return record_;
  }

  Status write(const Snapshot& snapshot) {
    if (options_.on_frame) options_.on_frame(snapshot);
    written_ = write_snapshot(folder_.frame(snapshot.frame), snapshot);
    return written_;
  }

  Status replace() {
    if (const Status removed = remove_old_run(folder_); !removed) return removed;
    return start();
  }

  Status start() {
    Status started = write_start();
    if (started) return started;
    fail_to_write(started.errors());
    [[maybe_unused]] const Status ignored = write_record(folder_, record_);  // the folder tells it if it can
    return started;
  }

  Status write_start() {
    // The record comes first: from now on the folder is known as a run, also if it is killed here.
    if (const Status written = write_record(folder_, record_); !written) return written;
    std::error_code error;
    for (const auto& path : {folder_.frames(), folder_.checkpoints()}) {
      std::filesystem::create_directories(path, error);
      if (error) return system_failure(path, "make the folder", error.value());
    }
    const SnapshotModel model = capture_model(sim_);
    if (const Status written = write_model(folder_.model(), model); !written) return written;
    const Snapshot first = capture(sim_, 0, sim_.model.step_length());
    if (const Status written = write(first); !written) return written;
    record_.frame = 0;
    if (const Status done = end_frame({}, true); !done) return done;
    if (options_.on_start) options_.on_start(model, first);
    return Done{};
  }

  Status resume() {
    if (!read_model(folder_.model()))  // it is missing or damaged
      if (const Status written = write_model(folder_.model(), capture_model(sim_)); !written) return written;
    const Result<RunReader> reader = RunReader::open(folder_.root());
    if (!reader) return reader.errors();
    const FrameSurvey survey = survey_frames(*reader);
    Diagnostics found;
    std::optional<Checkpoint> checkpoint = survey.good()
                                               ? newest_checkpoint(folder_, found)
                                               : newest_checkpoint(folder_, found, *survey.first_bad() - 1);
    if (!survey.good()) go_back(survey, checkpoint ? checkpoint->frame : -1, found);
    warn(found, options_, record_);
    if (!checkpoint) record_.grabbed_steps = 0;
    if (!checkpoint) return start();  // it was killed before its first checkpoint, or that was too late
    if (checkpoint->state.x.size() != sim_.state.x.size())
      return failure({folder_.checkpoints().string()}, "the checkpoint does not fit the scene",
                     "start anew with --overwrite");
    sim_.state = std::move(checkpoint->state);
    record_.frame = checkpoint->frame;
    if (const Result<std::string> csv = read_file(folder_.metrics_csv()))
      metrics_.keep(*csv, checkpoint->frame);
    if (const Result<std::string> csv = read_file(folder_.workers_csv()))
      workers_.keep(*csv, checkpoint->frame);
    if (options_.on_start)
      options_.on_start(capture_model(sim_), capture(sim_, record_.frame, sim_.model.step_length()));
    return Done{};
  }

  /// Bad frames are written again, with all that come after the checkpoint before them.
  void go_back(const FrameSurvey& survey, std::int64_t frame, Diagnostics& warnings) {
    remove_checkpoints_after(folder_, frame);
    if (const Result<RunRecord> earlier = read_record(folder_))
      record_.until = std::max(record_.until, static_cast<double>(earlier->frame) / sim_.model.frame_rate);
    warnings.warning({folder_.frames().string()}, survey.text(),
                     "the run goes on from frame " + std::to_string(std::max<std::int64_t>(frame, 0)));
  }

  Status end_frame(const StepSummary& summary, bool checkpoint_due) {
    metrics_.add(record_.frame, sim_.model, sim_.state, summary);
    if (const Status written = write_file_atomically(folder_.metrics_csv(), metrics_.csv()); !written)
      return written;
    workers_.add(record_.frame, summary.search);
    if (!summary.search.busy.empty())
      if (const Status written = write_file_atomically(folder_.workers_csv(), workers_.csv()); !written)
        return written;
    if (!checkpoint_due) return Done{};
    if (const Status written = write_checkpoint(folder_, {record_.frame, sim_.state}); !written)
      return written;
    record_.state_hash = hash_text(state_hash(sim_.state));
    return write_record(folder_, record_);
  }

  void fail(const std::string& reason) {
    record_.status = "failed";
    record_.reason = "step " + std::to_string(sim_.state.step + 1) + " at " +
                     std::to_string(sim_.state.time) + " s: " + reason;
    const Status saved =
        write_file_atomically(failed_state_file(folder_), encode_checkpoint({record_.frame, sim_.state}));
    if (!saved) record_.reason += "; " + saved.errors().text();
  }

  /// Nothing is lost but time: the run can go on from its last checkpoint once there is room.
  void fail_to_write(const Diagnostics& errors) {
    record_.status = "failed";
    const Diagnostic& first = errors.items().front();
    record_.reason = to_string(first.where) + ": " + first.message + "; " +
                     (first.remedy.empty() ? "" : first.remedy + ", ") + "then continue with --resume";
  }

  void fail_to_export(const Diagnostics& errors) {
    fail_to_write(errors);
    record_.reason = "all frames are there, but not in the other formats: " + record_.reason;
  }

  void report_progress(std::int64_t first_step, std::int64_t last_step, std::int64_t last_frame,
                       double seconds, const StepSummary& summary) {
    if (!options_.progress) return;
    const auto done = static_cast<double>(sim_.state.step - first_step);
    const auto left = static_cast<double>(last_step - sim_.state.step);
    options_.progress({.step = sim_.state.step,
                       .step_count = last_step,
                       .frame = sim_.state.step / sim_.model.steps_per_frame,
                       .frame_count = last_frame,
                       .time = sim_.state.time,
                       .seconds_left = seconds / done * left,
                       .solver_iterations = summary.solver_iterations});
  }

  Simulation sim_;
  RunRecord record_;
  const RunOptions& options_;
  RunFolder folder_;
  Metrics metrics_;
  WorkerMetrics workers_;
  ThreadPool pool_;
  Status written_ = Done{};  // of the latest frame
  bool stopping_ = false;
  RunWatch watch_;
};

}  // namespace

Result<std::string> scene_hash(const LoadedScene& scene) {
  const Result<SceneTexts> texts = read_texts(scene);
  if (!texts) return texts.errors();
  // By the names of the files alone, as always: other orders would change the hashes of earlier runs.
  std::multimap<std::string, std::string> sorted;
  for (const auto& [name, text] : *texts)
    sorted.emplace(std::filesystem::path(name).filename().string(), text);
  Hash hash;
  for (const auto& [name, text] : sorted) hash.add_bytes(std::as_bytes(std::span(text.data(), text.size())));
  return hash_text(hash.value());
}

Result<RunRecord> run(const LoadedScene& scene, const Catalogue& catalogue, const RunOptions& options) {
  if (const Status known = check_formats(scene, options); !known) return known.errors();
  const Result<std::string> hash = scene_hash(scene);
  if (!hash) return hash.errors();
  const RunFolder folder(options.folder);
  if (const auto refusal = folder_in_use(folder)) return *refusal;
  if (const Status claimed = claim_folder(options, scene.description, *hash); !claimed)
    return claimed.errors();
  const double until = options.until.value_or(scene.description.duration);
  if (options.resume)
    if (auto reached = record_beyond(folder, until, scene.description.frame_rate)) return std::move(*reached);
  Diagnostics warnings = scene.warnings;
  Result<Simulation> simulation = build(scene.description, catalogue, warnings);
  if (!simulation) return simulation.errors();
  if (options.prepare) options.prepare(*simulation);
  // Only now, so that a scene that cannot be built leaves no trace; another run may have come meanwhile.
  const Result<RunLock> lock = RunLock::take(folder);
  if (!lock) return lock.errors();
  if (const Status claimed = claim_folder(options, scene.description, *hash); !claimed)
    return claimed.errors();
  remove_unfinished_files(folder);

  RunRecord record;
  record.version = version();
  const std::string& title = scene.description.title;
  record.title = title.empty() ? scene.description.file.stem().string() : title;
  record.scene_file = scene.description.file.string();
  record.scene_hash = *hash;
  record.scene_texts = *read_texts(scene);
  record.input_hashes = input_hashes(scene.description);
  record.frame_rate = simulation->model.frame_rate;
  record.until = until;
  record.time_step = simulation->model.step_length();
  record.integrator = simulation->model.integrator;
  record.vertices = simulation->state.particle_count();
  for (const ClothPart& cloth : simulation->model.cloths)
    record.faces += static_cast<int>(cloth.triangles.size());
  for (const RodPart& rod : simulation->model.rods)
    record.faces += static_cast<int>(rod.skin.triangles().size());
  record.without_energy = terms_without_energy(simulation->model);
  warn(warnings, options, record);
  if (options.resume)
    if (const Result<RunRecord> earlier = read_record(folder)) {
      record.wall_seconds = earlier->wall_seconds;
      record.grabbed_steps = earlier->grabbed_steps;
    }
  record.threads = ThreadPool(options.threads).thread_count();
  return Runner(std::move(*simulation), std::move(record), options).run(scene.description.output);
}

}  // namespace heddle
