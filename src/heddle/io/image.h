#pragma once

#include <heddle/core/result.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A picture, 8 bits a channel, sRGB as stored; rows from top to bottom.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  // 3 * width * height
};

/// Grey, palette, 16-bit and transparent pictures become 8-bit RGB (transparent pixels are seen on black).
Result<Image> read_png(const std::filesystem::path& file);
Result<Image> decode_png(std::string_view bytes, const std::string& name);
/// Written whole or not at all, with the mark of overwrite.h; replaces what is there.
Status write_png(const std::filesystem::path& file, const Image& image);

/// Brightness in [0, 1] of the stored values (not linearised), bilinear between pixel centres; u runs right
/// and v up over [0, 1], the border pixels continue outside.
double luminance(const Image& image, double u, double v);

}  // namespace heddle
