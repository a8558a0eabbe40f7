#include "commands.h"
#include "interrupt.h"
#include "server/server.h"
#include "terminal.h"

#include <heddle/io/frame_survey.h>
#include <heddle/io/run_lock.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cstdio>

namespace heddle::cli {

namespace {

/// After the page is served, as reading a long run takes its time. A run in progress is not judged.
void warn_of_bad_frames(const RunReader& run) {
  if (folder_in_use(run.folder())) return;
  const FrameSurvey survey = survey_frames(run, is_interrupted);
  if (survey.good()) return;
  fmt::print(stderr, "{}: warning: {}; continue the run with --resume to write them again\n",
             run.folder().root().string(), survey.text());
}

int execute(const std::string& folder, int port, bool json) {
  Result<RunReader> reader = RunReader::open(folder);
  if (!reader) return reject(reader.errors());
  const RunFolderSource source(std::move(*reader));
  catch_interrupts();
  const Result<std::unique_ptr<Server>> server = Server::start({.port = port}, source);
  if (!server) return reject(server.errors());
  const std::string address = fmt::format("http://127.0.0.1:{}/", (*server)->port());
  if (json)
    fmt::print("{}\n", nlohmann::json{{"folder", folder}, {"address", address}}.dump());
  else
    fmt::print("{} at {} (end with Ctrl-C)\n", folder, address);
  std::fflush(stdout);
  warn_of_bad_frames(source.reader());
  wait_for_interrupt();
  return kSuccess;
}

}  // namespace

void add_view(CLI::App& program, Action& action) {
  auto folder = std::make_shared<std::string>();
  auto port = std::make_shared<int>(8080);
  auto json = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("view", "Show a run in the browser");
  command->footer("Example: heddle view out/drape_sphere");
  command->add_option("folder", *folder, "Run folder")->required();
  command->add_option("--port", *port, "Port on this machine; 0 takes a free one")
      ->check(CLI::Range(0, 65535));
  command->add_flag("--json", *json, "Print folder and address as JSON");
  command->callback([=, &action] { action = [=] { return execute(*folder, *port, *json); }; });
}

}  // namespace heddle::cli
