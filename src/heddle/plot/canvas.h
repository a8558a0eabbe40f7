#pragma once

#include <heddle/math/types.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <heddle/plot/plot.h>

namespace heddle {

struct PlotColour {
  double red = 0, green = 0, blue = 0;  // sRGB, 0 to 1
  double opacity = 1;
};

struct Stroke {
  PlotColour colour;
  double width = 1;
  bool is_dashed = false;
};

struct TextStyle {
  enum class Anchor { start, middle, end };
  double size = 12;
  Anchor anchor = Anchor::start;
  bool is_bold = false;
  bool is_upright = false;  // reads from bottom to top
  PlotColour colour{0.15, 0.15, 0.15};
};

struct PlotBox {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

/// What plots are drawn on; x points right and y down. The white ground is there from the start.
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void line(std::span<const Vec2> points, const Stroke& stroke) = 0;
  /// Closed loops; what an even number of them encloses is left out.
  virtual void area(std::span<const std::vector<Vec2>> loops, const PlotColour& colour) = 0;
  virtual void disc(const Vec2& centre, double radius, const PlotColour& colour) = 0;
  /// `at` is on the base line.
  virtual void text(const Vec2& at, std::string_view text, const TextStyle& style) = 0;
  /// Between the two nothing is drawn outside of the box.
  virtual void begin_clip(const PlotBox& box) = 0;
  virtual void end_clip() = 0;
  virtual std::string bytes() = 0;

  void box(const PlotBox& box, const PlotColour& colour);
};

std::unique_ptr<Canvas> make_svg_canvas(int width, int height);
std::unique_ptr<Canvas> make_png_canvas(int width, int height);

/// A canvas of the format with the drawing on it, as bytes.
std::string drawn(int width, int height, PlotFormat format, const std::function<void(Canvas&)>& draw);

/// About how wide the text is; not less, so that room suffices whatever font is used.
double text_width(std::string_view text, double size);

/// Okabe and Ito's colours, which the colour-blind can tell apart; begins anew after seven.
PlotColour palette(int index);
/// A line that differs from the others of its colour, up to 28 of them: solid, dashed, thin, thin and dashed.
Stroke palette_stroke(int index);
/// A colour between dark blue and light yellow, 0 to 1, of growing lightness.
PlotColour map_colour(double amount);

inline constexpr PlotColour kInk{0.15, 0.15, 0.15}, kFaint{0.88, 0.88, 0.88}, kGrey{0.45, 0.45, 0.45};

}  // namespace heddle
