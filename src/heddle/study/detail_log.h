#pragma once

#include <heddle/core/result.h>
#include <heddle/plot/plot.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

/// How richly the cloths of a run are folded, frame by frame; see fold_detail.
struct DetailLog {
  struct Series {
    std::string name;            // of the cloth
    std::vector<double> values;  // 1/m
    double mean() const;
  };
  std::string title;         // of the scene
  std::vector<double> time;  // s
  std::vector<Series> series;
};

/// From the frames of a run folder.
Result<DetailLog> read_detail_log(const std::filesystem::path& folder);

LinePlot detail_plot(const DetailLog& log);

}  // namespace heddle
