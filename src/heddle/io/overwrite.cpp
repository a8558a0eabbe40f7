#include <heddle/io/overwrite.h>

#include <fstream>

namespace heddle {
namespace fs = std::filesystem;
namespace {

/// Movies have their mark behind the table of their frames, which takes 12 bytes a frame: this finds it in
/// movies of 80,000 frames.
constexpr size_t kSearched = 1 << 20;  // bytes

bool has_mark(const fs::path& file) {
  std::string head(kSearched, '\0');
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return false;
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(stream.gcount()));
  if (head.empty()) return !stream.bad();
  return head.find(kHeddleMark) != std::string::npos || head.find(kPngMark) != std::string::npos;
}

}  // namespace

Status check_overwrite(const fs::path& file, bool overwrite) {
  std::error_code error;
  if (!fs::exists(file, error)) return Done{};
  if (fs::is_directory(file, error))
    return failure({file.string()}, "is a folder, not a file", "give a file");
  if (!fs::is_regular_file(file, error))
    return failure({file.string()}, "is no regular file", "choose another place");
  if (!overwrite && !has_mark(file))
    return failure({file.string()}, "exists and was not written by Heddle", kOverwriteRemedy);
  return Done{};
}

}  // namespace heddle
