#pragma once

#include <heddle/core/result.h>

#include <filesystem>
#include <string_view>

namespace heddle {

/// Near the beginning of every file that has room for it: marks the file as one that Heddle may replace.
inline constexpr std::string_view kHeddleMark = "Written by Heddle";
/// The same in a PNG picture: the text of a tEXt chunk, keyword and value.
inline constexpr std::string_view kPngMark{"Software\0Heddle", 15};

/// What to do about a target that is refused.
inline constexpr const char* kOverwriteRemedy = "choose another place, or allow it with --overwrite";

/// Whether a command may write this file: yes if there is none, if it is empty or carries a mark, or if the
/// user said `overwrite`. Only regular files are ever replaced. Reads 1 MiB at most.
Status check_overwrite(const std::filesystem::path& file, bool overwrite);

}  // namespace heddle
