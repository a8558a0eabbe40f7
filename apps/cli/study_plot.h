#pragma once

#include <heddle/core/result.h>
#include <heddle/io/atomic_file.h>
#include <heddle/plot/plot.h>

#include <filesystem>
#include <string>

namespace heddle::cli {

/// What is wrong with the name of a diagram, if one is given; looked at before anything is computed.
Status check_plot(const std::string& name, bool overwrite);

/// Writes the diagram in the format of its name, if one is given.
template <class Plot>
Status write_plot(const std::string& name, const Plot& plot) {
  if (name.empty()) return Done{};
  const std::filesystem::path file = name;
  return write_file_atomically(file,
                               render(plot, file.extension() == ".svg" ? PlotFormat::svg : PlotFormat::png));
}

}  // namespace heddle::cli
