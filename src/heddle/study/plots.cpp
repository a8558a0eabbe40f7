#include <heddle/study/plots.h>

namespace heddle {

namespace {

template <class Abscissa>
std::vector<PlotSeries> series_of(const std::vector<Convergence>& results, const Abscissa& abscissa) {
  std::vector<PlotSeries> all;
  for (const Convergence& result : results) {
    PlotSeries series{.name = result.method, .x = {}, .y = {}, .marker = PlotMarker::automatic};
    for (const ErrorAtStep& at : result.errors) {
      series.x.push_back(abscissa(at));
      series.y.push_back(at.error);
    }
    all.push_back(std::move(series));
  }
  return all;
}

double work_of(const Work& work, WorkMeasure measure) {
  if (measure == WorkMeasure::flops) return work.flops;
  if (measure == WorkMeasure::row_products) return static_cast<double>(work.row_products);
  return work.seconds;
}

PlotAxis work_axis(WorkMeasure measure) {
  if (measure == WorkMeasure::flops)
    return {.title = "floating point operations, about", .logarithmic = true};
  if (measure == WorkMeasure::row_products)
    return {.title = "rows times vector in the linear solver", .logarithmic = true};
  return {.title = "time of computation", .unit = "s", .logarithmic = true};
}

}  // namespace

LinePlot convergence_plot(const std::string& title, const std::string& unit,
                          const std::vector<Convergence>& results) {
  LinePlot plot;
  plot.title = title;
  plot.x = {.title = "time step", .unit = "s", .logarithmic = true};
  plot.y = {.title = "error at the end", .unit = unit, .logarithmic = true};
  plot.series = series_of(results, [](const ErrorAtStep& at) { return at.step; });
  return plot;
}

LinePlot work_plot(const std::string& title, const std::string& unit, WorkMeasure measure,
                   const std::vector<Convergence>& results) {
  LinePlot plot;
  plot.title = title;
  plot.x = work_axis(measure);
  plot.y = {.title = "error at the end", .unit = unit, .logarithmic = true};
  plot.series = series_of(results, [&](const ErrorAtStep& at) { return work_of(at.work, measure); });
  return plot;
}

RegionPlot region_plot(const std::string& title, const RegionWindow& window,
                       const std::vector<PlotRegion>& regions) {
  RegionPlot plot;
  plot.title = title;
  plot.x = {.title = "Re(hλ)", .low = window.left, .high = window.right};
  plot.y = {.title = "Im(hλ)", .low = window.low, .high = window.high};
  plot.columns = window.columns;
  plot.rows = window.rows;
  plot.regions = regions;
  plot.equal_scales = true;
  return plot;
}

}  // namespace heddle
