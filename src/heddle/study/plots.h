#pragma once

#include <heddle/plot/plot.h>
#include <heddle/study/amplification.h>
#include <heddle/study/convergence.h>

namespace heddle {

LinePlot convergence_plot(const std::string& title, const std::string& unit,
                          const std::vector<Convergence>& results);

/// What the error is plotted against.
enum class WorkMeasure { flops, row_products, seconds };
LinePlot work_plot(const std::string& title, const std::string& unit, WorkMeasure measure,
                   const std::vector<Convergence>& results);

RegionPlot region_plot(const std::string& title, const RegionWindow& window,
                       const std::vector<PlotRegion>& regions);

}  // namespace heddle
