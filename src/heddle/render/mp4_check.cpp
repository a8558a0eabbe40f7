#include <heddle/render/mp4_check.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::uint64_t big_endian(const unsigned char* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

/// The kinds of the outermost boxes; empty if they do not end where the file ends.
std::set<std::string> boxes(std::ifstream& stream, std::uint64_t file_bytes) {
  std::set<std::string> kinds;
  std::uint64_t at = 0;
  while (at < file_bytes) {
    std::array<unsigned char, 16> head{};  // 32 bits of length, kind, 64 bits of length if the first is 1
    stream.seekg(static_cast<std::streamoff>(at));
    stream.read(reinterpret_cast<char*>(head.data()), head.size());
    stream.clear();  // the last box may be shorter
    std::uint64_t length = big_endian(head.data(), 4);
    if (length == 1) length = big_endian(head.data() + 8, 8);
    if (length < 8 || length > file_bytes - at) return {};
    kinds.insert(std::string(head.begin() + 4, head.begin() + 8));
    at += length;
  }
  return kinds;
}

}  // namespace

Status check_mp4(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  const std::set<std::string> kinds = error || !stream ? std::set<std::string>{} : boxes(stream, bytes);
  if (kinds.contains("ftyp") && kinds.contains("moov") && kinds.contains("mdat")) return Done{};
  return disk_failure({file.string()}, "is no whole movie", "make room on the disk, and write it again");
}

}  // namespace heddle
