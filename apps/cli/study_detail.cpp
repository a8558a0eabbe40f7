#include "commands.h"
#include "study_plot.h"
#include "terminal.h"

#include <heddle/study/detail_log.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace heddle::cli {

namespace {

struct Options {
  std::string folder, plot;
  bool json = false, overwrite = false;
};

nlohmann::ordered_json to_json(const DetailLog& log) {
  nlohmann::ordered_json details = nlohmann::ordered_json::object(), means = details;
  for (const DetailLog::Series& series : log.series) {
    details[series.name] = series.values;
    means[series.name] = series.mean();
  }
  return {{"scene", log.title}, {"time", log.time}, {"detail", details}, {"mean", means}};
}

void print_table(const DetailLog& log) {
  fmt::print("{:<24} {:>12} {:>12} {:>12} {:>12}\n", "detail of folds (1/m)", "start", "end", "mean",
             "highest");
  for (const DetailLog::Series& series : log.series)
    if (!series.values.empty())
      fmt::print("{:<24} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g}\n", series.name, series.values.front(),
                 series.values.back(), series.mean(),
                 *std::max_element(series.values.begin(), series.values.end()));
}

int execute(const Options& options) {
  if (const Status plot = check_plot(options.plot, options.overwrite); !plot) return reject(plot.errors());
  const Result<DetailLog> log = read_detail_log(options.folder);
  if (!log) return reject(log.errors());
  if (const Status written = write_plot(options.plot, detail_plot(*log)); !written)
    return reject(written.errors());
  if (options.json)
    fmt::print("{}\n", to_json(*log).dump(2));
  else
    print_table(*log);
  return kSuccess;
}

}  // namespace

void add_study_detail(CLI::App& study, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = study.add_subcommand(
      "detail", "How richly the cloths of a run are folded: mean absolute curvature over time");
  command->footer("Example: heddle study detail out/flag --plot detail.svg");
  command->add_option("folder", options->folder, "Run folder")->required();
  command->add_option("--plot", options->plot, "Write a diagram (.svg or .png)")->check(is_named);
  command->add_flag("--overwrite", options->overwrite, "Replace the diagram if it exists");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([=, &action] { action = [=] { return execute(*options); }; });
}

}  // namespace heddle::cli
