#include "commands.h"
#include "terminal.h"

#include <heddle/core/text.h>
#include <heddle/io/atomic_file.h>
#include <heddle/parallel/scheduler.h>
#include <heddle/reproduce/report.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace heddle::cli {

namespace {

struct Options {
  std::vector<std::string> ids;
  bool list = false, quick = false, json = false;
  int threads = 0;
  std::string report;
};

nlohmann::json to_json(const Reproduction& reproduction) {
  auto figures = nlohmann::json::array(), claims = nlohmann::json::array();
  for (const Figure& figure : reproduction.findings.figures)
    figures.push_back({{"name", figure.name}, {"published", figure.published}, {"ours", figure.ours}});
  for (const Claim& claim : reproduction.findings.claims)
    claims.push_back(
        {{"text", claim.text}, {"published", claim.published}, {"ours", claim.ours}, {"holds", claim.holds}});
  return {{"id", reproduction.experiment->id},
          {"title", reproduction.experiment->title},
          {"source", reproduction.experiment->source},
          {"quick", reproduction.quick},
          {"figures", figures},
          {"claims", claims},
          {"holds", reproduction.findings.all_hold()}};
}

int list(bool json) {
  auto entries = nlohmann::json::array();
  for (const Experiment& experiment : experiments()) {
    if (!json) fmt::print("{:<30} {}\n", experiment.id, experiment.title);
    entries.push_back({{"id", experiment.id}, {"title", experiment.title}, {"source", experiment.source}});
  }
  if (json) fmt::print("{}\n", entries.dump(2));
  return kSuccess;
}

void print(const Reproduction& reproduction) {
  const Experiment& experiment = *reproduction.experiment;
  fmt::print("{}: {}\n{}{}\n{}\n\n", experiment.id, experiment.title, experiment.source,
             reproduction.quick ? "; quick: smaller than published" : "", experiment.about);
  fmt::print("{:<58} {:<26} {}\n", "", "published", "ours");
  for (const Figure& figure : reproduction.findings.figures)
    fmt::print("{:<58} {:<26} {}\n", figure.name, figure.published, figure.ours);
  for (const Claim& claim : reproduction.findings.claims)
    fmt::print("{:<58} {:<26} {}: {}\n", claim.text, claim.published, claim.ours,
               claim.holds ? "holds" : "DOES NOT HOLD");
  fmt::print("\n");
}

/// The experiments asked for; errors name the nearest.
Result<std::vector<const Experiment*>> choose(const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) names.emplace_back(experiment.id);
  Diagnostics errors;
  std::vector<const Experiment*> chosen;
  for (const std::string& id : ids) {
    if (id == "all") {
      for (const Experiment& experiment : experiments()) chosen.push_back(&experiment);
    } else if (const Experiment* found = find_experiment(id)) {
      chosen.push_back(found);
    } else {
      const std::string nearest = nearest_name(id, names);
      errors.error(
          {}, "there is no experiment " + in_quotes(id),
          nearest.empty() ? "heddle reproduce --list names all" : "did you mean " + in_quotes(nearest) + "?");
    }
  }
  if (errors.has_errors()) return errors;
  return chosen;
}

/// Tries before the experiments, which take long, whether the report can be written.
Status check_report(const std::filesystem::path& file) {
  if (file.empty()) return Done{};
  const std::filesystem::path folder = file.parent_path();
  std::error_code error;
  if (!folder.empty() && !std::filesystem::is_directory(folder, error))
    return failure({file.string()}, "there is no folder " + in_quotes(folder.string()),
                   "make it first, or choose another place");
  const Result<AtomicFile> trial = AtomicFile::create(file);
  if (!trial) return trial.errors();
  return Done{};
}

int execute(const Options& options) {
  if (options.list) return list(options.json);
  const auto chosen = choose(options.ids);
  if (!chosen) return reject(chosen.errors());
  if (const Status report = check_report(options.report); !report) return reject(report.errors());
  const int threads = ThreadPool(options.threads).thread_count();
  std::vector<Reproduction> done;
  bool all_hold = true;
  for (const Experiment* experiment : *chosen) {
    ProgressLine progress;
    const Result<Findings> findings =
        experiment->run({options.quick, threads, [&](std::string_view text) {
                           progress.show(fmt::format("{}: {}", experiment->id, text));
                         }});
    progress.clear();
    if (!findings) return reject(findings.errors());
    done.push_back({experiment, options.quick, *findings});
    all_hold &= findings->all_hold();
    if (!options.json) print(done.back());
  }
  if (options.json) {
    auto out = nlohmann::json::array();
    for (const Reproduction& reproduction : done) out.push_back(to_json(reproduction));
    fmt::print("{}\n", (out.size() == 1 ? out[0] : out).dump(2));
  }
  if (!options.report.empty())
    if (const Status written = write_file_atomically(options.report, html_report(done)); !written)
      return reject(written.errors());
  return all_hold ? kSuccess : kFailedRun;
}

}  // namespace

void add_reproduce(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("reproduce", "Run published experiments again and compare the figures");
  command->footer(
      "--list names the experiments. Exits with 1 if a claim does not hold.\n"
      "Example: heddle reproduce thomaszewski-2.4-funnel --quick --report funnel.html");
  auto* ids = command->add_option("id", options->ids, "Names of experiments, or \"all\"");
  auto* list = command->add_flag("--list", options->list, "Name the experiments");
  command->add_flag("--quick", options->quick, "Smaller and shorter than published");
  command->add_flag("--json", options->json, "Print JSON");
  command->add_option("--threads", options->threads, "Threads; default all processors")
      ->check(CLI::Range(1, 1024));
  auto* report =
      command->add_option("--report", options->report, "Also write a page (HTML), in a folder that exists")
          ->check(is_named);
  list->excludes(ids)->excludes(report);
  command->callback([=, &action] {
    if (options->ids.empty() && !options->list) throw CLI::RequiredError("id or --list");
    action = [=] { return execute(*options); };
  });
}

}  // namespace heddle::cli
