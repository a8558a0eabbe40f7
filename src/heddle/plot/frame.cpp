#include <heddle/plot/frame.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle {

namespace {

constexpr double kLabelSize = 12, kTitleSize = 15;
constexpr double kMargin = 14, kKeyWidth = 26, kLegendLine = 19;

double longest(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label, kLabelSize));
  return width;
}

double legend_width(const std::vector<LegendEntry>& legend) {
  double width = 0;
  for (const LegendEntry& entry : legend)
    width = std::max(width, kMargin + kKeyWidth + 8 + text_width(entry.name, kLabelSize));
  return width;
}

/// Far outside is as good as infinitely far.
double within_reach(double share) {
  return std::clamp(share, -50.0, 50.0);
}

}  // namespace

Frame::Frame(int width, int height, const std::string& title, Scale x, Scale y,
             std::vector<LegendEntry> legend, double room_right)
    : title_(title),
      x_(std::move(x)),
      y_(std::move(y)),
      legend_(std::move(legend)),
      room_right_(room_right),
      width_(width) {
  const double left = kMargin + kTitleSize + 8 + longest(y_.ticks()) + 8;
  const double top = title_.empty() ? kMargin : kMargin + kTitleSize + 14;
  const double bottom = height - kMargin - kTitleSize - 8 - kLabelSize - 6;
  const double right = width - kMargin - std::max(legend_width(legend_), 6.0) - room_right;
  box_ = {left, top, std::max(right - left, 20.0), std::max(bottom - top, 20.0)};
}

void Frame::equalise() {
  const double across = x_.high() - x_.low(), up = y_.high() - y_.low();
  const double unit = std::min(box_.width / across, box_.height / up);
  box_.top += 0.5 * (box_.height - unit * up);
  width_ -= static_cast<int>(box_.width - unit * across);
  box_.width = unit * across;
  box_.height = unit * up;
}

double Frame::at_x(double value) const {
  return box_.left + within_reach(x_.place(value).value_or(0)) * box_.width;
}

double Frame::at_y(double value) const {
  return box_.bottom() - within_reach(y_.place(value).value_or(0)) * box_.height;
}

std::optional<Vec2> Frame::point(double x, double y) const {
  if (!x_.place(x) || !y_.place(y)) return std::nullopt;
  return Vec2(at_x(x), at_y(y));
}

void Frame::draw(Canvas& canvas) const {
  if (!title_.empty())
    canvas.text({box_.left, kMargin + kTitleSize}, title_, {.size = kTitleSize, .is_bold = true});
  draw_ticks(canvas);
  const double middle = box_.left + 0.5 * box_.width;
  canvas.text({middle, box_.bottom() + kLabelSize + 6 + kTitleSize + 8}, x_.caption(),
              {.size = 13, .anchor = TextStyle::Anchor::middle});
  canvas.text({box_.left - longest(y_.ticks()) - 18, box_.top + 0.5 * box_.height}, y_.caption(),
              {.size = 13, .anchor = TextStyle::Anchor::middle, .is_upright = true});
  draw_legend(canvas);
}

void Frame::draw_ticks(Canvas& canvas) const {
  for (const Tick& tick : x_.ticks()) {
    const double at = at_x(tick.value);
    const bool is_small = tick.label.empty();
    if (!is_small) canvas.line(std::array{Vec2(at, box_.top), Vec2(at, box_.bottom())}, {kFaint});
    canvas.line(std::array{Vec2(at, box_.bottom()), Vec2(at, box_.bottom() + (is_small ? 3 : 5))}, {kGrey});
    canvas.text({at, box_.bottom() + kLabelSize + 7}, tick.label,
                {.size = kLabelSize, .anchor = TextStyle::Anchor::middle});
  }
  for (const Tick& tick : y_.ticks()) {
    const double at = at_y(tick.value);
    const bool is_small = tick.label.empty();
    if (!is_small) canvas.line(std::array{Vec2(box_.left, at), Vec2(box_.right(), at)}, {kFaint});
    canvas.line(std::array{Vec2(box_.left - (is_small ? 3 : 5), at), Vec2(box_.left, at)}, {kGrey});
    canvas.text({box_.left - 8, at + 0.36 * kLabelSize}, tick.label,
                {.size = kLabelSize, .anchor = TextStyle::Anchor::end});
  }
}

void Frame::draw_border(Canvas& canvas) const {
  canvas.line(
      std::array{Vec2(box_.left, box_.top), Vec2(box_.right(), box_.top), Vec2(box_.right(), box_.bottom()),
                 Vec2(box_.left, box_.bottom()), Vec2(box_.left, box_.top)},
      {kGrey});
}

void Frame::draw_legend(Canvas& canvas) const {
  const double left = box_.right() + kMargin + room_right_;
  double at = box_.top + 10;
  for (const LegendEntry& entry : legend_) {
    const Vec2 middle(left + 0.5 * kKeyWidth, at);
    if (entry.is_area) {
      PlotColour light = entry.colour;
      light.opacity = 0.25;
      canvas.box({left, at - 6, kKeyWidth, 12}, light);
    }
    if (entry.has_line)
      canvas.line(std::array{Vec2(left, at), Vec2(left + kKeyWidth, at)},
                  {entry.colour, entry.width, entry.is_dashed});
    draw_marker(canvas, middle, entry.marker, entry.colour);
    canvas.text({left + kKeyWidth + 8, at + 0.36 * kLabelSize}, entry.name, {.size = kLabelSize});
    at += kLegendLine;
  }
}

void draw_marker(Canvas& canvas, const Vec2& at, PlotMarker marker, const PlotColour& colour) {
  constexpr double kRadius = 4;
  const auto filled = [&](std::vector<Vec2> corners) {
    for (Vec2& corner : corners) corner = at + kRadius * corner;
    canvas.area({&corners, 1}, colour);
  };
  const auto stroked = [&](const Vec2& from, const Vec2& to) {
    canvas.line(std::array{Vec2(at + kRadius * from), Vec2(at + kRadius * to)}, {colour, 2});
  };
  switch (marker) {
    case PlotMarker::none:
    case PlotMarker::automatic:
      return;
    case PlotMarker::circle:
      return canvas.disc(at, 0.95 * kRadius, colour);
    case PlotMarker::square:
      return filled({{-0.85, -0.85}, {0.85, -0.85}, {0.85, 0.85}, {-0.85, 0.85}});
    case PlotMarker::triangle:
      return filled({{-1.05, 0.85}, {1.05, 0.85}, {0, -1.05}});
    case PlotMarker::diamond:
      return filled({{-1.15, 0}, {0, -1.15}, {1.15, 0}, {0, 1.15}});
    case PlotMarker::cross:
      stroked({-0.9, -0.9}, {0.9, 0.9});
      return stroked({-0.9, 0.9}, {0.9, -0.9});
    case PlotMarker::plus:
      stroked({-1.1, 0}, {1.1, 0});
      return stroked({0, -1.1}, {0, 1.1});
  }
}

PlotMarker marker_of(const PlotSeries& series, int colour) {
  constexpr std::array kMarkers{PlotMarker::circle,  PlotMarker::square, PlotMarker::triangle,
                                PlotMarker::diamond, PlotMarker::cross,  PlotMarker::plus};
  return series.marker == PlotMarker::automatic ? kMarkers[static_cast<size_t>(colour) % kMarkers.size()]
                                                : series.marker;
}

void draw_series(Canvas& canvas, const Frame& frame, const PlotSeries& series, int colour) {
  const int used = series.colour.value_or(colour);
  const size_t count = std::min(series.x.size(), series.y.size());
  std::vector<Vec2> piece;
  const auto finish = [&] {
    if (series.has_line) canvas.line(piece, {palette(used), 2, series.is_dashed});
    for (const Vec2& at : piece) draw_marker(canvas, at, marker_of(series, used), palette(used));
    piece.clear();
  };
  for (size_t i = 0; i < count; ++i) {
    if (const auto at = frame.point(series.x[i], series.y[i]))
      piece.push_back(*at);
    else
      finish();
  }
  finish();
}

LegendEntry legend_entry(const PlotSeries& series, int colour) {
  const int used = series.colour.value_or(colour);
  return {series.name, palette(used), marker_of(series, used), series.has_line, series.is_dashed};
}

}  // namespace heddle
