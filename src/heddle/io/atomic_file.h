#pragma once

#include <heddle/core/result.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle {

/// Writes the bytes beside `file` and renames them into place, so that readers see the old or the new file,
/// never a part. Reports full disks and missing permissions with the system's reason.
Status write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

/// The whole file, or an error that names it.
Result<std::string> read_file(const std::filesystem::path& file);

}  // namespace heddle
