#include <heddle/study/energy_log.h>

#include <heddle/io/atomic_file.h>
#include <heddle/io/run_record.h>

#include <charconv>
#include <sstream>

namespace heddle {

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

/// The name of the energy that a column holds; empty for other columns.
std::string energy_of(const std::string& column) {
  constexpr std::string_view kEnding = "_energy";
  return column.ends_with(kEnding) ? column.substr(0, column.size() - kEnding.size()) : "";
}

bool read_number(const std::string& cell, double& value) {
  return std::from_chars(cell.data(), cell.data() + cell.size(), value).ec == std::errc();
}

Status read_rows(std::istringstream& lines, const std::vector<std::string>& columns,
                 const std::filesystem::path& file, EnergyLog& log) {
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != columns.size())
      return failure({file.string()},
                     "a line has " + std::to_string(cells.size()) + " cells instead of " +
                         std::to_string(columns.size()),
                     "write it again by resuming or repeating the run");
    size_t next = 0;
    for (size_t c = 0; c < cells.size(); ++c) {
      const bool is_energy = !energy_of(columns[c]).empty();
      if (!is_energy && columns[c] != "time") continue;
      std::vector<double>& values = is_energy ? log.series[next++].values : log.time;
      if (!read_number(cells[c], values.emplace_back()))
        return failure({file.string()}, "\"" + cells[c] + "\" in column " + columns[c] + " is no number",
                       "write it again by resuming or repeating the run");
    }
  }
  return Done{};
}

/// Older runs did not write it.
void add_total(EnergyLog& log) {
  if (!log.series.empty() && log.series.back().name == "total") return;
  EnergyLog::Series total{"total", std::vector<double>(log.time.size())};
  for (const EnergyLog::Series& series : log.series)
    for (size_t i = 0; i < total.values.size(); ++i) total.values[i] += series.values[i];
  log.series.push_back(std::move(total));
}

}  // namespace

Result<EnergyLog> read_energy_log(const std::filesystem::path& folder) {
  const RunFolder run(folder);
  const Result<RunRecord> record = read_record(run);
  if (!record) return record.errors();
  const Result<std::string> csv = read_file(run.metrics_csv());
  if (!csv) return csv.errors();
  EnergyLog log{.title = record->title, .time = {}, .series = {}, .without_energy = record->without_energy};
  std::istringstream lines(*csv);
  std::string header;
  std::getline(lines, header);
  const std::vector<std::string> columns = cells_of(header);
  for (const std::string& column : columns)
    if (const std::string name = energy_of(column); !name.empty()) log.series.push_back({name, {}});
  if (log.series.empty())
    return failure({run.metrics_csv().string()}, "has no column of energies",
                   "give a folder that heddle run wrote");
  if (const Status read = read_rows(lines, columns, run.metrics_csv(), log); !read) return read.errors();
  add_total(log);
  return log;
}

LinePlot energy_plot(const EnergyLog& log) {
  LinePlot plot;
  plot.title = "Energy: " + log.title;
  plot.x = {.title = "time", .unit = "s"};
  plot.y = {.title = "energy", .unit = "J"};
  for (const EnergyLog::Series& series : log.series)
    plot.series.push_back(
        {.name = series.name, .x = log.time, .y = series.values, .is_dashed = series.name == "total"});
  for (const std::string& name : log.without_energy)
    plot.series.push_back({.name = name + " has none", .x = {}, .y = {}, .has_line = false});
  return plot;
}

}  // namespace heddle
