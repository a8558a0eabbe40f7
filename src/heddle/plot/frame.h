#pragma once

#include <heddle/plot/canvas.h>
#include <heddle/plot/scale.h>

namespace heddle {

/// One line of a legend.
struct LegendEntry {
  std::string name;
  PlotColour colour;
  PlotMarker marker = PlotMarker::none;
  bool has_line = true;
  bool is_dashed = false;
  bool is_area = false;
  double width = 2;  // of the line
};

/// The box in which data are drawn, between two axes, with title, ticks and legend around it.
class Frame {
 public:
  /// `room_right`: units kept free right of the box, besides the legend.
  Frame(int width, int height, const std::string& title, Scale x, Scale y, std::vector<LegendEntry> legend,
        double room_right = 0);

  /// Makes a unit as long on both axes, by making the box and the picture smaller.
  void equalise();
  /// Title, grid, axes and legend; what is drawn afterwards lies over the grid.
  void draw(Canvas& canvas) const;
  /// The line around the box, over what was drawn.
  void draw_border(Canvas& canvas) const;
  int width() const { return width_; }  // of the picture
  const PlotBox& box() const { return box_; }
  const Scale& x() const { return x_; }
  const Scale& y() const { return y_; }
  /// Nothing if the point cannot be drawn.
  std::optional<Vec2> point(double x, double y) const;
  double at_x(double value) const;  // units
  double at_y(double value) const;

 private:
  void draw_ticks(Canvas& canvas) const;
  void draw_legend(Canvas& canvas) const;

  std::string title_;
  Scale x_, y_;
  std::vector<LegendEntry> legend_;
  PlotBox box_;
  double room_right_;
  int width_;
};

void draw_marker(Canvas& canvas, const Vec2& at, PlotMarker marker, const PlotColour& colour);
/// Lines and markers within the frame's box; `colour` is used where the series asks for none.
void draw_series(Canvas& canvas, const Frame& frame, const PlotSeries& series, int colour);
LegendEntry legend_entry(const PlotSeries& series, int colour);
/// The marker of a series that leaves the choice to us.
PlotMarker marker_of(const PlotSeries& series, int colour);

}  // namespace heddle
