#include "commands.h"
#include "interrupt.h"
#include "live_driver.h"
#include "server/html_export.h"
#include "server/web_page.h"
#include "terminal.h"

#include <heddle/core/text.h>
#include <heddle/sim/build.h>
#include <heddle/sim/checkpoint.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/run.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace heddle::cli {

namespace {

struct Options {
  std::string scene;
  std::string folder;
  int threads = 0;
  double until = -1;
  bool resume = false;
  bool overwrite = false;
  bool json = false;
  bool live = false;
  int port = 8080;
};

std::string default_folder(const std::string& scene) {
  return "out/" + std::filesystem::path(scene).stem().string();
}

std::string progress_text(const RunProgress& p) {
  return fmt::format("frame {}/{}  step {}/{}  {:.3f} s  {} iterations  {}", p.frame, p.frame_count, p.step,
                     p.step_count, p.time, p.solver_iterations,
                     is_interrupted() ? "ends with this frame; Ctrl-C again ends at once"
                                      : duration_text(std::ceil(p.seconds_left)) + " left");
}

std::string resume_command(const Options& given, const std::string& folder) {
  return fmt::format("heddle run {} -o {} --resume{}", shell_path(given.scene), shell_path(folder),
                     given.until >= 0 ? fmt::format(" --until {}", given.until) : "");
}

void report(const RunRecord& record, const Options& given, const std::string& folder) {
  if (given.json) {
    fmt::print("{}\n", nlohmann::json{{"folder", folder},
                                      {"status", record.status},
                                      {"reason", record.reason},
                                      {"integrator", record.integrator},
                                      {"frame", record.frame},
                                      {"wall_seconds", record.wall_seconds},
                                      {"state_hash", record.state_hash},
                                      {"grabbed_steps", record.grabbed_steps}}
                           .dump());
    return;
  }
  if (record.status == "unchanged") {
    fmt::print("{}; nothing was changed\nsee it with: heddle view {}\n", record.reason, shell_path(folder));
    return;
  }
  fmt::print("{}: frame {} after {} ({}, {}), state {}\n", record.status, record.frame,
             duration_text(record.wall_seconds), counted(record.vertices, "vertex", "vertices"),
             counted(record.threads, "thread"), record.state_hash);
  if (record.integrator.find("because") != std::string::npos)
    fmt::print("integrator {}\n", record.integrator);
  if (record.status != "failed") {
    fmt::print("see it with: heddle view {}\n", shell_path(folder));
    if (record.status == "stopped") fmt::print("continue with: {}\n", resume_command(given, folder));
    return;
  }
  fmt::print(stderr, "error: {}\n", record.reason);
  if (std::filesystem::exists(failed_state_file(RunFolder(folder))))
    fmt::print(stderr, "the state before it was kept; run just that step with: heddle step {}\n",
               shell_path(folder));
}

/// CLI::Range lets "nan" pass.
std::string is_time(const std::string& text) {
  constexpr double kLongest = 1e6;  // s
  const double value = std::strtod(text.c_str(), nullptr);
  return value >= 0 && value <= kLongest ? "" : "expected seconds from 0 to 1e6, found " + text;
}

int execute(const Options& given) {
  const Catalogue catalogue = make_catalogue();
  const Result<LoadedScene> scene = load_scene(given.scene, catalogue, check_parts(catalogue));
  if (!scene) return reject(scene.errors());
  ProgressLine line;
  RunOptions options;
  options.folder = given.folder.empty() ? default_folder(given.scene) : given.folder;
  options.threads = given.threads;
  if (given.until >= 0) options.until = given.until;
  options.resume = given.resume;
  options.overwrite = given.overwrite;
  if (has_web_viewer()) options.more_formats["html"] = export_html;
  options.progress = [&](const RunProgress& progress) { line.show(progress_text(progress)); };
  options.on_warning = [&](const std::string& warning) {
    line.clear();
    fmt::print(stderr, "{}\n", warning);
  };
  options.before_step = [](Simulation&) { return !is_interrupted(); };
  catch_interrupts();
  // Before anything is written: a run that cannot be watched must not replace an older one.
  if (given.live)
    if (const Status free = Server::check_port(given.port); !free) return reject(free.errors());
  const auto live = given.live ? std::make_unique<LiveDriver>(given.port, options) : nullptr;
  const Result<RunRecord> record = run(*scene, catalogue, options);
  line.clear();
  if (!record) return reject(record.errors());
  if (live && live->problem().has_errors()) return reject(live->problem());
  report(*record, given, options.folder.string());
  if (live && (record->status == "complete" || record->status == "failed")) {
    live->finish(record->status == "failed" ? record->reason : "");
    wait_for_interrupt();
  }
  if (record->status == "stopped") return kInterrupted + interrupt_signal();
  return record->status == "failed" ? kFailedRun : kSuccess;
}

}  // namespace

void add_run(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("run", "Simulate a scene into a run folder");
  command->footer(
      "Ctrl-C ends the run with the present frame; --resume continues it.\n"
      "Exit codes: 0 success, 1 a step failed or the disk is full, 2 bad input, 130 ended by Ctrl-C, 143 by "
      "SIGTERM.\n"
      "Example: heddle run scenes/drape_sphere.json -o out/drape --threads 2");
  command->add_option("scene", options->scene, "Scene file (JSON)")->required();
  command->add_option("-o,--output", options->folder, "Run folder; default out/ and the name of the scene")
      ->check(is_named);
  command
      ->add_option("--threads", options->threads, "Threads; default all processors; the result is the same")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--until", options->until,
                   "Simulated time to stop at, s, rounded to whole frames; default the scene's duration")
      ->check(is_time);
  auto* resume = command->add_flag("--resume", options->resume, "Continue the run in the folder");
  command->add_flag("--overwrite", options->overwrite, "Replace the run in the folder")->excludes(resume);
  command->add_flag("--live", options->live,
                    "Show the run in the browser while it goes on; vertices can be grabbed");
  command->add_option("--port", options->port, "Port of --live; 0 takes a free one")
      ->check(CLI::Range(0, 65535));
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->callback([=, &action] { action = [=] { return execute(*options); }; });
}

}  // namespace heddle::cli
