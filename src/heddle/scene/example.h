#pragma once

#include <heddle/core/description.h>

#include <string>

namespace heddle {

/// A JSON text that shows the type: its own example, or one with the defaults and something for what is
/// required. Ends without a line break.
std::string example_text(const TypeDescription& type, const Catalogue& catalogue);

}  // namespace heddle
