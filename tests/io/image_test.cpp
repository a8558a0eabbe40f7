#include "temporary_folder.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/image.h>

namespace heddle {
namespace {

TEST(Image, RoundTrip) {
  const TemporaryFolder folder;
  Image image{5, 3, {}};
  for (int i = 0; i < 45; ++i) image.rgb.push_back(static_cast<std::uint8_t>(i * 37));
  ASSERT_TRUE(write_png(folder.path / "a.png", image));
  const Result<Image> read = read_png(folder.path / "a.png");
  ASSERT_TRUE(read) << read.errors().text();
  EXPECT_EQ(read->width, 5);
  EXPECT_EQ(read->height, 3);
  EXPECT_EQ(read->rgb, image.rgb);
}

TEST(Image, LuminanceIsBilinear) {
  // White at the top left, black elsewhere.
  const Image image{2, 2, {255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
  EXPECT_NEAR(luminance(image, 0.25, 0.75), 1, 1e-12);
  EXPECT_NEAR(luminance(image, 0.5, 0.75), 0.5, 1e-12);
  EXPECT_NEAR(luminance(image, 0.5, 0.5), 0.25, 1e-12);
  EXPECT_NEAR(luminance(image, -3, 7), 1, 1e-12);
  EXPECT_NEAR(luminance(image, 1, 0), 0, 1e-12);
}

TEST(Image, BadFilesAreErrors) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_png(folder.path / "missing.png"));
  EXPECT_FALSE(decode_png("", "a.png"));
  EXPECT_FALSE(decode_png("no picture at all", "a.png"));
  ASSERT_TRUE(write_png(folder.path / "a.png", Image{1, 2, {1, 2, 3, 4, 5, 6}}));
  const std::string bytes = *read_file(folder.path / "a.png");
  // The last 12 bytes only mark the end of the picture.
  for (size_t size = 0; size + 16 < bytes.size(); ++size)
    EXPECT_FALSE(decode_png(std::string_view(bytes).substr(0, size), "a.png")) << size;
}

}  // namespace
}  // namespace heddle
