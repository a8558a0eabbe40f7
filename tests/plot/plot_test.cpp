#include <heddle/plot/plot.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {

namespace {

LinePlot convergence() {
  LinePlot plot;
  plot.title = "Error & <cost>";
  plot.x = {.title = "step", .unit = "s", .logarithmic = true};
  plot.y = {.title = "error", .logarithmic = true};
  plot.series = {{.name = "Euler", .x = {1e-3, 1e-2, 1e-1}, .y = {1e-4, 1e-3, 1e-2}},
                 {.name = "midpoint",
                  .x = {1e-3, 1e-2, 1e-1},
                  .y = {1e-7, 1e-5, 1e-3},
                  .marker = PlotMarker::automatic}};
  plot.bounds = {{.value = 0.02, .label = "limit", .is_vertical = true}};
  return plot;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Width and height as the header of a PNG has them.
std::pair<int, int> png_size(const std::string& bytes) {
  const auto number = [&](size_t at) {
    int value = 0;
    for (size_t i = at; i < at + 4; ++i) value = 256 * value + static_cast<unsigned char>(bytes[i]);
    return value;
  };
  return {number(16), number(20)};
}

}  // namespace

TEST(LinePlotSvg, HasAllTexts) {
  const std::string svg = render(convergence(), PlotFormat::svg);
  for (const char* text :
       {"Error &amp; &lt;cost&gt;", "step (s)", ">error<", ">Euler<", ">midpoint<", "10⁻²", ">limit<"})
    EXPECT_TRUE(has(svg, text)) << text;
}

TEST(LinePlotSvg, DoesNotDependOnTheRun) {
  EXPECT_EQ(render(convergence(), PlotFormat::svg), render(convergence(), PlotFormat::svg));
  EXPECT_EQ(render(convergence(), PlotFormat::png), render(convergence(), PlotFormat::png));
}

TEST(LinePlotPng, HasTwoPixelsForAUnit) {
  LinePlot plot = convergence();
  plot.width = 300;
  plot.height = 210;
  const std::string png = render(plot, PlotFormat::png);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(png_size(png), (std::pair{600, 420}));
}

TEST(LinePlotSvg, GapsInTheDataCutTheLine) {
  LinePlot plot = convergence();
  plot.series.resize(1);
  plot.bounds.clear();
  const auto thick_lines = [&] { return count(render(plot, PlotFormat::svg), "stroke-width=\"2\""); };
  plot.series[0].x = {1e-3, 2e-3, 3e-3, 4e-3, 5e-3};
  plot.series[0].y = {1, 2, 3, 4, 5};
  const int whole = thick_lines();
  plot.series[0].y = {1, 2, std::nan(""), 4, 5};
  EXPECT_EQ(thick_lines(), whole + 1);
  plot.series[0].y = {1, 2, -3, 4, 5};  // of no logarithm
  EXPECT_EQ(thick_lines(), whole + 1);
  plot.series[0].y = {1, 2, HUGE_VAL, 4, 5};
  EXPECT_EQ(thick_lines(), whole + 1);
}

TEST(LinePlot, WithoutDataSaysSo) {
  LinePlot plot = convergence();
  plot.bounds.clear();
  plot.series[0].y = {std::nan(""), std::nan(""), std::nan("")};
  plot.series[1] = {.name = "nothing"};
  EXPECT_TRUE(has(render(plot, PlotFormat::svg), "no data"));
  EXPECT_FALSE(render(plot, PlotFormat::png).empty());
  EXPECT_TRUE(has(render(LinePlot{}, PlotFormat::svg), "no data"));
  EXPECT_FALSE(has(render(convergence(), PlotFormat::svg), "no data"));
}

TEST(LinePlotSvg, NumbersFarOutsideStayNumbers) {
  LinePlot plot;
  plot.y = {.low = 0, .high = 1};
  plot.series = {{.x = {0, 1, 2}, .y = {0.5, 1e300, 0.5}}};
  const std::string svg = render(plot, PlotFormat::svg);
  EXPECT_FALSE(has(svg, "inf"));
  EXPECT_FALSE(has(svg, "nan"));
  EXPECT_LT(svg.size(), 20000u);
}

TEST(RegionPlotSvg, DrawsRegionsAndTheirNames) {
  RegionPlot plot;
  plot.title = "Stability";
  plot.x = {.title = "Re", .low = -3, .high = 1};
  plot.y = {.title = "Im", .low = -2, .high = 2};
  plot.columns = plot.rows = 41;
  PlotRegion euler{.name = "explicit Euler"};
  for (int row = 0; row < 41; ++row)
    for (int column = 0; column < 41; ++column)
      euler.values.push_back(std::hypot(1 - 3 + column * 0.1, -2 + row * 0.1));
  plot.regions = {euler};
  const std::string svg = render(plot, PlotFormat::svg);
  EXPECT_TRUE(has(svg, "explicit Euler"));
  EXPECT_EQ(count(svg, "fill-opacity=\"0.18\""), 1);
  plot.contours = {0.25, 0.5, 1};
  const std::string map = render(plot, PlotFormat::svg);
  EXPECT_TRUE(has(map, ">0.25<"));
  EXPECT_FALSE(has(map, "fill-opacity=\"0.18\""));
}

TEST(SparsityPlotSvg, HasADotForEachBlock) {
  BlockPatternBuilder builder(4, false);
  builder.couple(std::array{0, 2});
  builder.couple(std::array{1, 3});
  SparsityPlot plot;
  plot.pattern = builder.build().general;
  ASSERT_EQ(plot.pattern.block_count(), 8);
  const std::string natural = render(plot, PlotFormat::svg);
  EXPECT_EQ(count(natural, "Z"), 8);
  EXPECT_TRUE(has(natural, "4 rows, 8 blocks"));
  plot.order = {0, 2, 1, 3};
  plot.groups = {0, 2};
  const std::string ordered = render(plot, PlotFormat::svg);
  EXPECT_EQ(count(ordered, "Z"), 8);
  EXPECT_NE(natural, ordered);
}

}  // namespace heddle
