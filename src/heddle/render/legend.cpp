#include <heddle/render/legend.h>
#include <heddle/render/lettering.h>
#include <heddle/render/tone.h>

#include <fmt/format.h>

namespace heddle {
namespace {

const Vec3f kInk(0.16f, 0.17f, 0.19f);
const Vec3f kPaper(0.97f, 0.97f, 0.96f);
constexpr int kLeastHeight = 120;  // pixels

/// Everything scales with the picture.
float unit_of(const Image& image) {
  return static_cast<float>(std::max(image.height, 240)) / 100;
}

std::string tick_text(ColourField field, double value) {
  if (is_one_sided(field)) return fmt::format("{:.3g}", value);
  return value == 0 ? "0" : fmt::format("{:+.3g}", 100 * value);
}

/// Paper for a legend, with its lower edge `above` pixels higher than usual; the place of its first letter.
Eigen::Vector2f lay_panel(Image& image, float width, float height, float above) {
  const float unit = unit_of(image);
  const float left = std::floor(static_cast<float>(image.width) - width - 3 * unit);
  const float top = std::floor(static_cast<float>(image.height) - height - 3 * unit - above);
  draw_box(image, left, top, width, height, 1.2f * unit, kPaper, 0.82f);
  return {std::floor(left + 4 * unit), std::floor(top + 2 * unit)};
}

void draw_bar(Image& image, const ColourBar& bar, float x, float y, float width, float height) {
  const int columns = static_cast<int>(width);
  for (int column = 0; column < columns; ++column) {
    const float t = (static_cast<float>(column) + 0.5f) / static_cast<float>(columns);
    const Vec3f colour = bar.colour(t).unaryExpr(&srgb);
    draw_box(image, x + static_cast<float>(column), y, 1, height, 0, colour, 1);
  }
}

}  // namespace

ColourBar colour_bar(ColourField field, double range) {
  constexpr int kTicks = 5;
  ColourBar bar{.title = legend_title(field), .ticks = {}, .colour = {}};
  const auto value_at = [=](double t) { return is_one_sided(field) ? t * range : (2 * t - 1) * range; };
  for (int tick = 0; tick < kTicks; ++tick)
    bar.ticks.push_back(tick_text(field, value_at(static_cast<double>(tick) / (kTicks - 1))));
  bar.colour = [=](float t) {
    return field_colour(field, static_cast<float>(value_at(t)), static_cast<float>(range));
  };
  return bar;
}

float draw_legend(Image& image, const ColourBar& bar, float above) {
  if (image.height < kLeastHeight) return above;
  const float unit = unit_of(image);
  const float letter = std::max(7.0f, 1.7f * unit);
  const float bar_width = std::floor(std::min(44 * unit, 0.6f * static_cast<float>(image.width)));
  const float panel_height = 3.2f * letter + 7.5f * unit;
  const Eigen::Vector2f corner = lay_panel(image, bar_width + 8 * unit, panel_height, above);
  const float x = corner.x(), y = std::floor(corner.y() + letter + 1.6f * unit);
  draw_text(image, bar.title, x, corner.y(), letter, kInk);
  const float bar_height = std::floor(letter);
  draw_bar(image, bar, x, y, bar_width, bar_height);
  for (size_t tick = 0; tick < bar.ticks.size(); ++tick) {
    const std::string& text = bar.ticks[tick];
    const float centre = x + static_cast<float>(tick) / static_cast<float>(bar.ticks.size() - 1) * bar_width;
    draw_box(image, std::floor(centre) - 0.5f, y + bar_height, 1, 0.6f * unit, 0, kInk, 0.9f);
    draw_text(image, text, centre - 0.5f * text_width(text, 0.9f * letter), y + bar_height + 1.4f * unit,
              0.9f * letter, kInk);
  }
  return above + panel_height + unit;
}

float draw_legend(Image& image, const std::string& title, const std::vector<ColourKey>& entries,
                  float above) {
  if (image.height < kLeastHeight) return above;
  const float unit = unit_of(image), letter = std::max(7.0f, 1.7f * unit), line = letter + 1.4f * unit;
  float width = text_width(title, letter);
  for (const ColourKey& entry : entries)
    width = std::max(width, text_width(entry.text, 0.9f * letter) + (entry.colour ? 2 * letter : 0));
  const float panel_height = line * static_cast<float>(entries.size() + 1) + 3.4f * unit;
  const Eigen::Vector2f corner = lay_panel(image, width + 8 * unit, panel_height, above);
  const float x = corner.x();
  float y = corner.y();
  draw_text(image, title, x, y, letter, kInk);
  for (const ColourKey& entry : entries) {
    y += line;
    if (entry.colour) draw_box(image, x, y, letter, letter, 0.2f * unit, entry.colour->unaryExpr(&srgb), 1);
    draw_text(image, entry.text, x + (entry.colour ? 2 * letter : 0), y, 0.9f * letter, kInk);
  }
  return above + panel_height + unit;
}

}  // namespace heddle
