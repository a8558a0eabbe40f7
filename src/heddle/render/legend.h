#pragma once

#include <heddle/io/image.h>
#include <heddle/render/element_colours.h>

namespace heddle {

/// Draws title, colour bar and numbers of the field into the lower right corner. Pictures lower than 120
/// pixels have no room for it and stay as they are.
void draw_legend(Image& image, ColourField field, double range);
/// The same for kinds: title and entries.
void draw_legend(Image& image, const std::string& title, const std::vector<ColourKey>& entries);

}  // namespace heddle
