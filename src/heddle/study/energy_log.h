#pragma once

#include <heddle/core/result.h>
#include <heddle/plot/plot.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

/// The energies of a run, frame by frame.
struct EnergyLog {
  struct Series {
    std::string name;            // "kinetic", the names of the force terms, "total"
    std::vector<double> values;  // J
  };
  std::string title;         // of the scene
  std::vector<double> time;  // s
  std::vector<Series> series;
  std::vector<std::string> without_energy;  // force terms that the total leaves out
};

/// From the metrics of a run folder.
Result<EnergyLog> read_energy_log(const std::filesystem::path& folder);

LinePlot energy_plot(const EnergyLog& log);

}  // namespace heddle
