#include <heddle/io/atomic_file.h>
#include <heddle/io/image.h>
#include <heddle/io/overwrite.h>

#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

constexpr int kLargestSide = 32768;  // pixels

double pixel_luminance(const Image& image, int x, int y) {
  x = std::clamp(x, 0, image.width - 1);
  y = std::clamp(y, 0, image.height - 1);
  const std::uint8_t* pixel =
      &image.rgb[3 * (static_cast<size_t>(y) * static_cast<size_t>(image.width) + static_cast<size_t>(x))];
  return (0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]) / 255.0;
}

std::string big_endian(size_t number) {
  png_byte bytes[4];
  png_save_uint_32(bytes, static_cast<png_uint_32>(number));
  return {std::begin(bytes), std::end(bytes)};
}

/// Length, type, text and checksum; libpng's simple interface writes no text.
std::string text_chunk(std::string_view text) {
  const std::string body = "tEXt" + std::string(text);
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(text.size()) + body + big_endian(checksum);
}

}  // namespace

Result<Image> decode_png(std::string_view bytes, const std::string& name) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  const auto failed = [&] {
    const Diagnostics error =
        failure({name}, fmt::format("is no readable PNG picture: {}", png.message), "save it as PNG again");
    png_image_free(&png);
    return error;
  };
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size())) return failed();
  if (png.width > kLargestSide || png.height > kLargestSide) {
    png_image_free(&png);
    return failure({name}, fmt::format("is {} x {} pixels large", png.width, png.height),
                   fmt::format("use at most {} pixels a side", kLargestSide));
  }
  // The simplified interface drops an alpha channel by blending onto this background.
  png_color black{0, 0, 0};
  png.format = PNG_FORMAT_RGB;
  Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  if (!png_image_finish_read(&png, &black, image.rgb.data(), 0, nullptr)) return failed();
  return image;
}

Result<Image> read_png(const std::filesystem::path& file) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  return decode_png(*bytes, file.string());
}

Status write_png(const std::filesystem::path& file, const Image& image) {
  HEDDLE_CHECK(image.width > 0 && image.height > 0);
  HEDDLE_CHECK_EQ(image.rgb.size(), 3 * static_cast<size_t>(image.width) * static_cast<size_t>(image.height));
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
    return failure({file.string()}, fmt::format("cannot write the picture: {}", png.message));
  bytes.resize(size);
  constexpr size_t kHeaderEnd = 33;  // signature and IHDR, which must come first
  bytes.insert(kHeaderEnd, text_chunk(kPngMark));
  return write_file_atomically(file, bytes);
}

double luminance(const Image& image, double u, double v) {
  HEDDLE_CHECK(image.width > 0 && image.height > 0);
  const double x = std::clamp(u, 0.0, 1.0) * image.width - 0.5;
  const double y = (1 - std::clamp(v, 0.0, 1.0)) * image.height - 0.5;
  const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
  const double s = x - x0, t = y - y0;
  return (1 - t) * ((1 - s) * pixel_luminance(image, x0, y0) + s * pixel_luminance(image, x0 + 1, y0)) +
         t * ((1 - s) * pixel_luminance(image, x0, y0 + 1) + s * pixel_luminance(image, x0 + 1, y0 + 1));
}

}  // namespace heddle
