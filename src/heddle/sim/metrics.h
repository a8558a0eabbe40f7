#pragma once

#include <heddle/sim/step.h>

#include <span>
#include <string>
#include <vector>

namespace heddle {

/// Lines of numbers that each begin with the number of their frame.
class FrameTable {
 public:
  explicit FrameTable(std::string header) : header_(std::move(header)) {}

  /// Takes over the lines of an earlier part of the run up to and including `last_frame`.
  void keep(std::string_view csv, std::int64_t last_frame);
  void add(std::int64_t frame, std::span<const double> numbers);
  std::string csv() const;

 private:
  std::string header_;
  std::vector<std::string> rows_;
};

/// Names of the force terms that are no gradient of an energy, such as wind.
std::vector<std::string> terms_without_energy(const Model& model);

/// The table of a run: one row a frame with energies, iterations, strain extremes and seconds per stage.
class Metrics {
 public:
  explicit Metrics(const Model& model);

  void keep(std::string_view csv, std::int64_t last_frame) { table_.keep(csv, last_frame); }
  void add(std::int64_t frame, const Model& model, const State& state, const StepSummary& frame_summary);
  std::string csv() const { return table_.csv(); }

 private:
  std::vector<std::string> energy_names_;
  FrameTable table_;
};

/// How evenly the workers shared the search for surfaces that come near: a row for each frame and worker.
class WorkerMetrics {
 public:
  void keep(std::string_view csv, std::int64_t last_frame) { table_.keep(csv, last_frame); }
  void add(std::int64_t frame, const SearchWork& work);
  std::string csv() const { return table_.csv(); }

 private:
  FrameTable table_{"frame,worker,seconds_busy,seconds_search"};
};

}  // namespace heddle
