// Writes a sample of each kind of plot into a folder: plot_samples FOLDER

#include <heddle/plot/plot.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numeric>

using namespace heddle;

namespace {

LinePlot errors() {
  LinePlot plot;
  plot.title = "Error against step";
  plot.x = {.title = "time step", .unit = "s", .logarithmic = true};
  plot.y = {.title = "error at 1 s", .unit = "m", .logarithmic = true};
  const std::vector<std::pair<std::string, int>> methods{
      {"explicit Euler", 1}, {"implicit midpoint", 2}, {"BDF 3", 3}, {"Runge-Kutta 4", 4}};
  for (const auto& [name, order] : methods) {
    PlotSeries series{.name = name, .marker = PlotMarker::automatic};
    for (double h = 1e-4; h < 0.2; h *= 2) {
      series.x.push_back(h);
      series.y.push_back(std::pow(h, order) * (0.4 + 0.1 * order));
    }
    plot.series.push_back(series);
  }
  plot.bounds = {{.value = 0.02, .label = "stable below", .is_vertical = true},
                 {.value = 1e-10, .label = "rounding"}};
  return plot;
}

LinePlot energies() {
  LinePlot plot;
  plot.title = "Energy of a swinging sheet";
  plot.x = {.title = "time", .unit = "s"};
  plot.y = {.title = "energy", .unit = "J"};
  for (const double damping : {0.0, 0.8, 2.0}) {
    PlotSeries series{.name = "damping " + std::to_string(damping).substr(0, 3) + " N s/m"};
    for (int i = 0; i <= 200; ++i) {
      const double t = 0.01 * i;
      series.x.push_back(t);
      series.y.push_back(i > 90 && i < 100 && damping == 0.8
                             ? std::nan("")
                             : 0.6e-3 * std::exp(-damping * t) * (1 + 0.1 * std::sin(20 * t)));
    }
    plot.series.push_back(series);
  }
  plot.series.back().is_dashed = true;
  return plot;
}

RegionPlot stability(bool map) {
  RegionPlot plot;
  plot.title = map ? "Amplification of Runge-Kutta 4" : "Regions of stability";
  plot.x = {.title = "Re(hλ)", .low = -4, .high = 2};
  plot.y = {.title = "Im(hλ)", .low = -3.5, .high = 3.5};
  plot.columns = 241;
  plot.rows = 281;
  plot.equal_scales = true;
  plot.regions = {{.name = "Runge-Kutta 4"}, {.name = "explicit Euler"}, {.name = "implicit Euler"}};
  for (int row = 0; row < plot.rows; ++row)
    for (int column = 0; column < plot.columns; ++column) {
      const std::complex<double> z(-4 + 6.0 * column / 240, -3.5 + 7.0 * row / 280);
      plot.regions[0].values.push_back(
          std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)))));
      plot.regions[1].values.push_back(std::abs(1.0 + z));
      plot.regions[2].values.push_back(std::abs(1.0 / (1.0 - z)));
    }
  if (map) {
    plot.regions.resize(1);
    plot.contours = {0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 4, 8};
    plot.map_title = "|R|";
  }
  return plot;
}

SparsityPlot sparsity(bool ordered) {
  constexpr int kSide = 10;
  BlockPatternBuilder builder(kSide * kSide, false);
  for (int j = 0; j < kSide; ++j)
    for (int i = 0; i < kSide; ++i) {
      const int a = kSide * j + i;
      if (i + 1 < kSide && i != 4) builder.couple(std::array{a, a + 1});
      if (j + 1 < kSide) builder.couple(std::array{a, a + kSide});
    }
  SparsityPlot plot;
  plot.title = ordered ? "Two groups, reordered" : "Two groups, natural order";
  plot.pattern = builder.build().general;
  if (!ordered) return plot;
  for (const bool right : {false, true})
    for (int k = 0; k < kSide * kSide; ++k)
      if ((k % kSide > 4) == right) plot.order.push_back(k);
  plot.groups = {0, kSide * kSide / 2};
  return plot;
}

template <class Plot>
void write(const std::filesystem::path& folder, const std::string& name, const Plot& plot) {
  std::ofstream(folder / (name + ".svg"), std::ios::binary) << render(plot, PlotFormat::svg);
  std::ofstream(folder / (name + ".png"), std::ios::binary) << render(plot, PlotFormat::png);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  write(folder, "errors", errors());
  write(folder, "energies", energies());
  write(folder, "regions", stability(false));
  write(folder, "map", stability(true));
  write(folder, "sparsity", sparsity(false));
  write(folder, "sparsity_ordered", sparsity(true));
  write(folder, "empty", LinePlot{.title = "Nothing yet"});
}
