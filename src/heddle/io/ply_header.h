#pragma once

#include <heddle/core/result.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// Bytes of one number in binary files.
size_t size_of(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  // of lists
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  /// The property's place, or -1.
  int find(std::string_view property) const;
  /// A lower bound of the bytes that one element takes in the file.
  size_t smallest_size(bool ascii) const;
};

struct PlyHeader {
  enum class Format { ascii, little_endian, big_endian };
  Format format = Format::ascii;
  std::vector<PlyElement> elements;
  std::string_view body;  // what follows the header
  int lines = 0;          // of the header
};

/// `bytes` must outlive the header.
Result<PlyHeader> read_ply_header(std::string_view bytes, const std::string& name);

}  // namespace heddle
