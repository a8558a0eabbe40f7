#include <heddle/sim/metrics.h>

#include <heddle/core/text.h>
#include <heddle/sim/judge.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace heddle {

namespace {

std::int64_t frame_of(const std::string& row) {
  std::int64_t frame = -1;
  std::from_chars(row.data(), row.data() + row.size(), frame);
  return frame;
}

/// Of terms that have an energy, or of the others.
std::vector<std::string> names_of(const Model& model, bool has_energy) {
  std::vector<std::string> names;
  for (const auto& term : model.system->terms()) {
    const std::string name(term->name());
    if (term->is_conservative() == has_energy && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

std::string header_of(const std::vector<std::string>& energy_names) {
  std::string header =
      "frame,time,iterations,row_products,iterations_per_step,row_products_per_step,pieces,retries,contacts,"
      "kinetic_energy";
  for (const std::string& name : energy_names) header += "," + name + "_energy";
  header += ",total_energy";
  header +=
      ",weft_strain_max,weft_strain_min,warp_strain_max,warp_strain_min,shear_strain_max,shear_strain_min,"
      "limit_iterations_per_step,strain_excess";
  for (const char* stage : kStageNames) header += std::string(",seconds_") + stage;
  return header;
}

}  // namespace

std::vector<std::string> terms_without_energy(const Model& model) {
  return names_of(model, false);
}

void FrameTable::keep(std::string_view csv, std::int64_t last_frame) {
  std::istringstream lines{std::string(csv)};
  std::string line;
  std::getline(lines, line);
  if (line != header_) return;
  while (std::getline(lines, line))
    if (const std::int64_t frame = frame_of(line); frame >= 0 && frame <= last_frame) rows_.push_back(line);
}

void FrameTable::add(std::int64_t frame, std::span<const double> numbers) {
  std::string row = std::to_string(frame);
  for (const double number : numbers) row += "," + number_text(number);
  rows_.push_back(std::move(row));
}

std::string FrameTable::csv() const {
  std::string text = header_ + "\n";
  for (const std::string& row : rows_) text += row + "\n";
  return text;
}

Metrics::Metrics(const Model& model)
    : energy_names_(names_of(model, true)), table_(header_of(energy_names_)) {}

void Metrics::add(std::int64_t frame, const Model& model, const State& state, const StepSummary& summary) {
  const Configuration q = configuration_of(state);
  const auto iterations = static_cast<double>(summary.solver_iterations),
             row_products = static_cast<double>(summary.row_products);
  const double steps = model.steps_per_frame, kinetic = model.system->kinetic_energy(q);
  std::vector<double> row{state.time,
                          iterations,
                          row_products,
                          iterations / steps,
                          row_products / steps,
                          static_cast<double>(summary.pieces),
                          static_cast<double>(summary.retries),
                          static_cast<double>(summary.contacts),
                          kinetic};
  double total = kinetic;
  for (const std::string& name : energy_names_) {
    double energy = 0;
    for (const auto& term : model.system->terms())
      if (term->name() == name) energy += term->energy(q);
    row.push_back(energy);
    total += energy;
  }
  row.push_back(total);
  const StrainExtremes strain = strain_extremes(model, state);
  row.insert(row.end(), {strain.largest.weft, strain.smallest.weft, strain.largest.warp, strain.smallest.warp,
                         strain.largest.shear, strain.smallest.shear});
  row.insert(row.end(), {static_cast<double>(summary.limit_iterations) / steps, summary.strain_excess});
  row.insert(row.end(), summary.seconds.begin(), summary.seconds.end());
  table_.add(frame, row);
}

void WorkerMetrics::add(std::int64_t frame, const SearchWork& work) {
  for (size_t worker = 0; worker < work.busy.size(); ++worker)
    table_.add(frame, std::array{static_cast<double>(worker), work.busy[worker], work.seconds});
}

}  // namespace heddle
