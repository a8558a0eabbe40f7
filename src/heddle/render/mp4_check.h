#pragma once

#include <heddle/core/result.h>

#include <filesystem>

namespace heddle {

/// Whether an MP4 file is whole: its boxes fill it to its last byte, and its index and its pictures are
/// among them.
Status check_mp4(const std::filesystem::path& file);

}  // namespace heddle
