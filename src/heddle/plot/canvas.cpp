#include <heddle/plot/canvas.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle {

namespace {

constexpr std::array kPalette{0x0072B2u, 0xD55E00u, 0x009E73u, 0xCC79A7u, 0xE69F00u, 0x56B4E9u, 0x333333u};

PlotColour from_hex(unsigned rgb) {
  return {((rgb >> 16) & 255) / 255.0, ((rgb >> 8) & 255) / 255.0, (rgb & 255) / 255.0};
}

}  // namespace

void Canvas::box(const PlotBox& box, const PlotColour& colour) {
  const std::vector<Vec2> corners{
      {box.left, box.top}, {box.right(), box.top}, {box.right(), box.bottom()}, {box.left, box.bottom()}};
  area({&corners, 1}, colour);
}

std::string drawn(int width, int height, PlotFormat format, const std::function<void(Canvas&)>& draw) {
  const auto canvas =
      format == PlotFormat::svg ? make_svg_canvas(width, height) : make_png_canvas(width, height);
  draw(*canvas);
  return canvas->bytes();
}

double text_width(std::string_view text, double size) {
  constexpr double kWidthOfLetter = 0.62;  // of the size, mean of a wide font
  const auto letters = std::count_if(text.begin(), text.end(),
                                     [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return kWidthOfLetter * size * static_cast<double>(letters);
}

PlotColour palette(int index) {
  return from_hex(kPalette[static_cast<size_t>(index) % kPalette.size()]);
}

Stroke palette_stroke(int index) {
  const size_t round = static_cast<size_t>(index) / kPalette.size();
  return {palette(index), round % 4 < 2 ? 2.0 : 1.0, round % 2 == 1};
}

PlotColour map_colour(double amount) {
  // Points of a map like cividis: lightness grows evenly, also for those who do not see red or green.
  constexpr std::array kColours{0x00224Eu, 0x35456Cu, 0x666970u, 0x948E77u, 0xC8B866u, 0xFEE838u};
  const double place = std::clamp(amount, 0.0, 1.0) * (kColours.size() - 1);
  const auto before = std::min(static_cast<size_t>(place), kColours.size() - 2);
  const double share = place - static_cast<double>(before);
  const PlotColour a = from_hex(kColours[before]), b = from_hex(kColours[before + 1]);
  return {a.red + share * (b.red - a.red), a.green + share * (b.green - a.green),
          a.blue + share * (b.blue - a.blue)};
}

}  // namespace heddle
