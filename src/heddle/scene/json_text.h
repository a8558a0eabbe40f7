#pragma once

#include <heddle/core/value.h>

#include <string>
#include <string_view>

namespace heddle {

/// Texts longer than this are refused: a scene names its large data, it does not contain them.
inline constexpr size_t kMaximumSceneBytes = size_t{8} << 20;
/// Lists and objects inside each other.
inline constexpr int kMaximumSceneDepth = 200;

/// Reads JSON with // and /* */ comments and trailing commas; every value and key knows its line and column.
/// Reports as many syntax errors as it can tell apart. Numbers too large for a double become infinite, those
/// too small zero. Safe on any bytes.
Result<Value> parse_json_text(std::string_view text, const std::string& file);

}  // namespace heddle
