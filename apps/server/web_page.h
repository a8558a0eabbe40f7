#pragma once

#include <string_view>

namespace heddle {

/// The viewer as one self-contained HTML page; without the viewer (HEDDLE_WEB=OFF) a page that says so.
std::string_view web_page();

/// False if Heddle was built with HEDDLE_WEB=OFF.
bool has_web_viewer();

}  // namespace heddle
