#pragma once

#include <heddle/io/image.h>
#include <heddle/render/element_colours.h>

#include <functional>

namespace heddle {

/// What colours mean, from 0 at the left end to 1 at the right one.
struct ColourBar {
  std::string title;
  std::vector<std::string> ticks;  // two at least, evenly spaced from end to end
  std::function<Vec3f(float)> colour;
};
ColourBar colour_bar(ColourField field, double range);

/// Draws title, colour bar and numbers into the lower right corner, `above` (pixels) other legends; returns
/// how much room all take. Pictures lower than 120 pixels have no room and stay as they are.
float draw_legend(Image& image, const ColourBar& bar, float above = 0);
/// The same for kinds: title and entries.
float draw_legend(Image& image, const std::string& title, const std::vector<ColourKey>& entries,
                  float above = 0);

}  // namespace heddle
