#include <heddle/core/check.h>
#include <heddle/core/text.h>
#include <heddle/plot/contour.h>
#include <heddle/plot/frame.h>

#include <algorithm>
#include <array>

namespace heddle {

namespace {

/// If there are more they are drawn fainter, so that lines can still be seen through all of them.
constexpr double kClearRegions = 5;
constexpr double kMapRoom = 78;  // right of the box, for the key of the map

std::vector<LegendEntry> legend_of(const RegionPlot& plot) {
  std::vector<LegendEntry> legend;
  int colour = 0;
  for (const PlotRegion& region : plot.regions) {
    const Stroke stroke = palette_stroke(colour);
    if (!region.name.empty())
      legend.push_back({.name = region.name,
                        .colour = stroke.colour,
                        .is_dashed = stroke.is_dashed,
                        .is_area = plot.contours.empty(),
                        .width = stroke.width});
    ++colour;
  }
  for (const PlotSeries& curve : plot.curves)
    if (!curve.name.empty()) legend.push_back(legend_entry(curve, colour++));
  return legend;
}

/// From samples to places in the box.
std::vector<std::vector<Vec2>> placed(std::vector<std::vector<Vec2>> lines, const RegionPlot& plot,
                                      const PlotBox& box) {
  for (auto& line : lines)
    for (Vec2& p : line)
      p = {box.left + p.x() / (plot.columns - 1) * box.width,
           box.bottom() - p.y() / (plot.rows - 1) * box.height};
  return lines;
}

/// Band k lies below contours[k], the last one above all.
PlotColour band_colour(const RegionPlot& plot, size_t band) {
  return map_colour(static_cast<double>(band) / static_cast<double>(plot.contours.size()));
}

void draw_map(Canvas& canvas, const RegionPlot& plot, const PlotBox& box) {
  const SampledGrid grid{plot.columns, plot.rows, plot.regions.front().values};
  canvas.box(box, band_colour(plot, plot.contours.size()));
  for (size_t k = plot.contours.size(); k-- > 0;)
    canvas.area(placed(contour_loops(grid, plot.contours[k]), plot, box), band_colour(plot, k));
}

void draw_map_key(Canvas& canvas, const RegionPlot& plot, const PlotBox& box) {
  const double left = box.right() + 16, bands = static_cast<double>(plot.contours.size() + 1);
  const double height = box.height / bands;
  for (size_t k = 0; k <= plot.contours.size(); ++k) {
    const double top = box.bottom() - static_cast<double>(k + 1) * height;
    canvas.box({left, top, 14, height}, band_colour(plot, k));
    if (k < plot.contours.size())
      canvas.text({left + 19, top + 4}, short_number_text(plot.contours[k]), {.size = 11});
  }
  canvas.text({left, box.top - 6}, plot.map_title, {.size = 11});
}

/// All areas first, so that none covers a line.
void draw_regions(Canvas& canvas, const RegionPlot& plot, const PlotBox& box) {
  for (const bool as_area : {true, false}) {
    if (as_area && !plot.contours.empty()) continue;
    int index = 0;
    for (const PlotRegion& region : plot.regions) {
      const SampledGrid grid{plot.columns, plot.rows, region.values};
      const Stroke stroke = palette_stroke(index++);
      if (!as_area)
        for (const auto& line : placed(contour_lines(grid, region.level), plot, box))
          canvas.line(line, stroke);
      PlotColour colour = stroke.colour;
      colour.opacity = 0.18 * std::min(1.0, kClearRegions / static_cast<double>(plot.regions.size()));
      if (as_area) canvas.area(placed(contour_loops(grid, region.level), plot, box), colour);
    }
  }
}

bool has_map(const RegionPlot& plot) {
  return !plot.contours.empty() && !plot.regions.empty();
}

Frame frame_of(const RegionPlot& plot) {
  HEDDLE_CHECK(plot.columns > 1 && plot.rows > 1 && plot.x.low && plot.x.high && plot.y.low && plot.y.high);
  Frame frame(plot.width, plot.height, plot.title, Scale(plot.x, {}), Scale(plot.y, {}), legend_of(plot),
              has_map(plot) ? kMapRoom : 0);
  if (plot.equal_scales) frame.equalise();
  return frame;
}

void draw(const RegionPlot& plot, const Frame& frame, Canvas& canvas) {
  frame.draw(canvas);
  canvas.begin_clip(frame.box());
  if (has_map(plot)) draw_map(canvas, plot, frame.box());
  draw_regions(canvas, plot, frame.box());
  int index = static_cast<int>(plot.regions.size());
  for (const PlotSeries& curve : plot.curves) draw_series(canvas, frame, curve, index++);
  canvas.end_clip();
  frame.draw_border(canvas);
  if (has_map(plot)) draw_map_key(canvas, plot, frame.box());
}

}  // namespace

std::string render(const RegionPlot& plot, PlotFormat format) {
  const Frame frame = frame_of(plot);
  return drawn(frame.width(), plot.height, format, [&](Canvas& canvas) { draw(plot, frame, canvas); });
}

}  // namespace heddle
