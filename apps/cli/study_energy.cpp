#include "commands.h"
#include "study_plot.h"
#include "terminal.h"

#include <heddle/core/text.h>
#include <heddle/study/energy_log.h>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace heddle::cli {

namespace {

struct Options {
  std::string folder, plot;
  bool json = false, overwrite = false;
};

nlohmann::ordered_json to_json(const EnergyLog& log) {
  nlohmann::ordered_json energies = nlohmann::ordered_json::object();
  for (const EnergyLog::Series& series : log.series) energies[series.name] = series.values;
  return {
      {"scene", log.title}, {"time", log.time}, {"energy", energies}, {"without_energy", log.without_energy}};
}

void print_table(const EnergyLog& log) {
  fmt::print("{:<24} {:>12} {:>12} {:>12} {:>12}\n", "energy (J)", "start", "end", "lowest", "highest");
  for (const EnergyLog::Series& series : log.series) {
    if (series.values.empty()) continue;
    const auto [lowest, highest] = std::minmax_element(series.values.begin(), series.values.end());
    fmt::print("{:<24} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g}\n", series.name, series.values.front(),
               series.values.back(), *lowest, *highest);
  }
  if (!log.without_energy.empty())
    fmt::print("forces without an energy, not part of the total: {}\n", fmt::join(log.without_energy, ", "));
}

int execute(const Options& options) {
  if (const Status plot = check_plot(options.plot, options.overwrite); !plot) return reject(plot.errors());
  const Result<EnergyLog> log = read_energy_log(options.folder);
  if (!log) return reject(log.errors());
  if (const Status written = write_plot(options.plot, energy_plot(*log)); !written)
    return reject(written.errors());
  if (options.json)
    fmt::print("{}\n", to_json(*log).dump(2));
  else
    print_table(*log);
  return kSuccess;
}

}  // namespace

void add_study_energy(CLI::App& study, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = study.add_subcommand("energy", "Kinetic and potential energies of a run over time");
  command->footer("Example: heddle study energy out/drape_sphere --plot energy.svg");
  command->add_option("folder", options->folder, "Run folder")->required();
  command->add_option("--plot", options->plot, "Write a diagram (.svg or .png)")->check(is_named);
  command->add_flag("--overwrite", options->overwrite, "Replace the diagram if it exists");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([=, &action] { action = [=] { return execute(*options); }; });
}

}  // namespace heddle::cli
