#include <heddle/plot/canvas.h>

#include <array>
#include <charconv>
#include <cmath>

namespace heddle {

namespace {

/// At most two decimals, the same in every locale.
std::string number(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::round(value * 100) / 100,
                                 std::chars_format::fixed, 2);
  std::string text(buffer.data(), end.ptr);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string hex(const PlotColour& colour) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const double channel : {colour.red, colour.green, colour.blue}) {
    const auto byte = static_cast<size_t>(std::lround(channel * 255));
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)  // others are not allowed in XML
      result += c;
  }
  return result;
}

std::string attribute(std::string_view name, const std::string& value) {
  return " " + std::string(name) + "=\"" + value + "\"";
}

std::string fill_of(const PlotColour& colour) {
  std::string text = attribute("fill", hex(colour));
  if (colour.opacity < 1) text += attribute("fill-opacity", number(colour.opacity));
  return text;
}

std::string path_of(std::span<const Vec2> points) {
  std::string path;
  for (const Vec2& p : points) path += (path.empty() ? "M" : "L") + number(p.x()) + " " + number(p.y());
  return path;
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(int width, int height) {
    const std::string size = std::to_string(width) + " " + std::to_string(height);
    text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"" +
            attribute("width", std::to_string(width)) + attribute("height", std::to_string(height)) +
            attribute("viewBox", "0 0 " + size) +
            " font-family=\"'DejaVu Sans', Verdana, Arial, sans-serif\">\n<rect width=\"100%\" "
            "height=\"100%\" fill=\"#ffffff\"/>\n";
  }

  void line(std::span<const Vec2> points, const Stroke& stroke) override {
    if (points.size() < 2) return;
    text_ += "<path fill=\"none\"" + attribute("d", path_of(points)) +
             attribute("stroke", hex(stroke.colour)) + attribute("stroke-width", number(stroke.width)) +
             " stroke-linejoin=\"round\"";
    if (stroke.colour.opacity < 1) text_ += attribute("stroke-opacity", number(stroke.colour.opacity));
    if (stroke.is_dashed) text_ += " stroke-dasharray=\"6 4\"";
    text_ += "/>\n";
  }

  void area(std::span<const std::vector<Vec2>> loops, const PlotColour& colour) override {
    std::string path;
    for (const auto& loop : loops) path += path_of(loop) + "Z";
    if (!path.empty())
      text_ += "<path fill-rule=\"evenodd\"" + attribute("d", path) + fill_of(colour) + "/>\n";
  }

  void disc(const Vec2& centre, double radius, const PlotColour& colour) override {
    text_ += "<circle" + attribute("cx", number(centre.x())) + attribute("cy", number(centre.y())) +
             attribute("r", number(radius)) + fill_of(colour) + "/>\n";
  }

  void text(const Vec2& at, std::string_view text, const TextStyle& style) override {
    constexpr std::array kAnchors{"start", "middle", "end"};
    const std::string place = number(at.x()) + " " + number(at.y());
    text_ += "<text" + attribute("x", number(at.x())) + attribute("y", number(at.y())) +
             attribute("font-size", number(style.size)) + fill_of(style.colour);
    if (style.anchor != TextStyle::Anchor::start)
      text_ += attribute("text-anchor", kAnchors[static_cast<size_t>(style.anchor)]);
    if (style.is_bold) text_ += " font-weight=\"bold\"";
    if (style.is_upright) text_ += attribute("transform", "rotate(-90 " + place + ")");
    text_ += ">" + escaped(text) + "</text>\n";
  }

  void begin_clip(const PlotBox& box) override {
    const std::string id = "clip" + std::to_string(++clips_);
    text_ += "<clipPath" + attribute("id", id) + "><rect" + attribute("x", number(box.left)) +
             attribute("y", number(box.top)) + attribute("width", number(box.width)) +
             attribute("height", number(box.height)) + "/></clipPath>\n<g" +
             attribute("clip-path", "url(#" + id + ")") + ">\n";
  }
  void end_clip() override { text_ += "</g>\n"; }

  std::string bytes() override { return text_ + "</svg>\n"; }

 private:
  std::string text_;
  int clips_ = 0;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(int width, int height) {
  return std::make_unique<SvgCanvas>(width, height);
}

}  // namespace heddle
