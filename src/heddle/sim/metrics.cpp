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

}  // namespace

Metrics::Metrics(const Model& model) {
  header_ = "frame,time,iterations,retries,contacts,kinetic_energy";
  for (const auto& term : model.system->terms()) {
    const std::string name(term->name());
    const bool known = std::find(energy_names_.begin(), energy_names_.end(), name) != energy_names_.end();
    if (term->is_conservative() && !known) energy_names_.push_back(name);
  }
  for (const std::string& name : energy_names_) header_ += "," + name + "_energy";
  header_ +=
      ",weft_strain_max,weft_strain_min,warp_strain_max,warp_strain_min,shear_strain_max,shear_strain_min";
  for (const char* stage : kStageNames) header_ += std::string(",seconds_") + stage;
}

void Metrics::keep(std::string_view csv, std::int64_t last_frame) {
  std::istringstream lines{std::string(csv)};
  std::string line;
  std::getline(lines, line);
  if (line != header_) return;
  while (std::getline(lines, line))
    if (const std::int64_t frame = frame_of(line); frame >= 0 && frame <= last_frame) rows_.push_back(line);
}

void Metrics::add(std::int64_t frame, const Model& model, const State& state, const StepSummary& summary) {
  std::string row = std::to_string(frame);
  const auto column = [&](double value) { row += "," + number_text(value); };
  const Configuration q = configuration_of(state);
  column(state.time);
  column(summary.solver_iterations);
  column(summary.retries);
  column(summary.contacts);
  column(model.system->kinetic_energy(q));
  for (const std::string& name : energy_names_) {
    double energy = 0;
    for (const auto& term : model.system->terms())
      if (term->name() == name) energy += term->energy(q);
    column(energy);
  }
  const StrainExtremes strain = strain_extremes(model, state);
  for (double value : {strain.largest.weft, strain.smallest.weft, strain.largest.warp, strain.smallest.warp,
                       strain.largest.shear, strain.smallest.shear})
    column(value);
  for (double seconds : summary.seconds) column(seconds);
  rows_.push_back(std::move(row));
}

std::string Metrics::csv() const {
  std::string text = header_ + "\n";
  for (const std::string& row : rows_) text += row + "\n";
  return text;
}

}  // namespace heddle
