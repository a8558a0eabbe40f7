#pragma once

#include <heddle/io/image.h>
#include <heddle/math/types.h>

#include <string_view>

namespace heddle {

/// Writes text with smooth round strokes. `x`, `y` is the upper left corner and `height` the height of a
/// capital, all in pixels; colour is sRGB in [0, 1]. Knows digits, + - . % /, capitals, and the letters m and
/// s; other characters leave a gap.
void draw_text(Image& image, std::string_view text, float x, float y, float height, const Vec3f& colour);

/// Width of the text in pixels.
float text_width(std::string_view text, float height);

/// Paints a rectangle with rounded corners over the picture.
void draw_box(Image& image, float x, float y, float width, float height, float radius, const Vec3f& colour,
              float opacity);

}  // namespace heddle
