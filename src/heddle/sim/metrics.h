#pragma once

#include <heddle/sim/step.h>

#include <string>
#include <vector>

namespace heddle {

/// The table of a run: one row a frame with energies, iterations, strain extremes and seconds per stage.
class Metrics {
 public:
  explicit Metrics(const Model& model);

  /// Takes over the rows of an earlier part of the run up to and including `last_frame`.
  void keep(std::string_view csv, std::int64_t last_frame);
  void add(std::int64_t frame, const Model& model, const State& state, const StepSummary& frame_summary);
  std::string csv() const;

 private:
  std::string header_;
  std::vector<std::string> energy_names_;
  std::vector<std::string> rows_;
};

}  // namespace heddle
