#include <heddle/plot/frame.h>

#include <array>
#include <cmath>

namespace heddle {

namespace {

std::vector<double> seen_values(const LinePlot& plot, bool along_x) {
  std::vector<double> values;
  for (const PlotSeries& series : plot.series)
    // A point counts if both of its values can be drawn.
    for (size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      const auto is_good = [](double value, const PlotAxis& axis) {
        return std::isfinite(value) && (!axis.logarithmic || value > 0);
      };
      if (is_good(series.x[i], plot.x) && is_good(series.y[i], plot.y))
        values.push_back(along_x ? series.x[i] : series.y[i]);
    }
  for (const PlotBound& bound : plot.bounds)
    if (bound.is_vertical == along_x) values.push_back(bound.value);
  return values;
}

bool is_seen(const Frame& frame, const PlotBound& bound) {
  return (bound.is_vertical ? frame.x() : frame.y()).place(bound.value).has_value();
}

void draw_bound(Canvas& canvas, const Frame& frame, const PlotBound& bound) {
  const PlotBox& box = frame.box();
  const double x = frame.at_x(bound.value), y = frame.at_y(bound.value);
  const Stroke stroke{kGrey, 1.5, true};
  if (bound.is_vertical)
    canvas.line(std::array{Vec2(x, box.top), Vec2(x, box.bottom())}, stroke);
  else
    canvas.line(std::array{Vec2(box.left, y), Vec2(box.right(), y)}, stroke);
}

/// On a light ground, because lines may pass below.
void draw_label(Canvas& canvas, const Frame& frame, const PlotBound& bound) {
  if (bound.label.empty()) return;
  constexpr double kSize = 11;
  constexpr PlotColour kGround{1, 1, 1, 0.8};
  const PlotBox& box = frame.box();
  const double length = text_width(bound.label, kSize);
  TextStyle style{.size = kSize, .is_upright = bound.is_vertical, .colour = kGrey};
  if (bound.is_vertical) {
    const double x = frame.at_x(bound.value) - 4, y = box.bottom() - 6;
    canvas.box({x - kSize, y - length, kSize + 3, length}, kGround);
    canvas.text({x, y}, bound.label, style);
  } else {
    const double x = box.left + 6, y = frame.at_y(bound.value) - 4;
    canvas.box({x, y - kSize, length, kSize + 3}, kGround);
    canvas.text({x, y}, bound.label, style);
  }
}

std::vector<LegendEntry> legend_of(const LinePlot& plot) {
  std::vector<LegendEntry> legend;
  for (size_t i = 0; i < plot.series.size(); ++i)
    if (!plot.series[i].name.empty()) legend.push_back(legend_entry(plot.series[i], static_cast<int>(i)));
  return legend;
}

void draw(const LinePlot& plot, Canvas& canvas) {
  const std::vector<double> xs = seen_values(plot, true), ys = seen_values(plot, false);
  const Frame frame(plot.width, plot.height, plot.title, Scale(plot.x, xs), Scale(plot.y, ys),
                    legend_of(plot));
  frame.draw(canvas);
  canvas.begin_clip(frame.box());
  for (const PlotBound& bound : plot.bounds)
    if (is_seen(frame, bound)) draw_bound(canvas, frame, bound);
  for (size_t i = 0; i < plot.series.size(); ++i)
    draw_series(canvas, frame, plot.series[i], static_cast<int>(i));
  for (const PlotBound& bound : plot.bounds)
    if (is_seen(frame, bound)) draw_label(canvas, frame, bound);
  canvas.end_clip();
  frame.draw_border(canvas);
  if (xs.empty() || ys.empty())
    canvas.text({frame.box().left + 0.5 * frame.box().width, frame.box().top + 0.5 * frame.box().height},
                "no data", {.size = 14, .anchor = TextStyle::Anchor::middle, .colour = kGrey});
}

}  // namespace

std::string render(const LinePlot& plot, PlotFormat format) {
  return drawn(plot.width, plot.height, format, [&](Canvas& canvas) { draw(plot, canvas); });
}

}  // namespace heddle
