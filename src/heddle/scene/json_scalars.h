#pragma once

#include <heddle/core/value.h>
#include <heddle/scene/text_cursor.h>

#include <string>

namespace heddle {

/// Reads the string whose opening quote (" or, with a complaint, ') is under the cursor.
std::string read_json_string(TextCursor& cursor, Diagnostics& diagnostics);

/// Reads true, false, null or a number; what is none of them is reported and read as null.
Value read_json_word(TextCursor& cursor, Diagnostics& diagnostics);

}  // namespace heddle
