#include "temporary_folder.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/image.h>
#include <heddle/io/overwrite.h>

namespace heddle {
namespace {

class Overwrite : public testing::Test {
 protected:
  std::string refusal(const std::string& name, bool overwrite = false) {
    const Status allowed = check_overwrite(folder_.path / name, overwrite);
    return allowed ? "" : allowed.errors().text();
  }
  void put(const std::string& name, std::string_view bytes) {
    ASSERT_TRUE(write_file_atomically(folder_.path / name, bytes));
  }
  TemporaryFolder folder_;
};

TEST_F(Overwrite, ForeignFilesNeedPermission) {
  put("mine.png", "precious");
  EXPECT_NE(refusal("mine.png").find("mine.png: error: exists and was not written by Heddle"),
            std::string::npos);
  EXPECT_NE(refusal("mine.png").find("--overwrite"), std::string::npos);
  EXPECT_EQ(refusal("mine.png", true), "");
}

TEST_F(Overwrite, NothingAndEmptyFilesNeedNone) {
  put("empty.mp4", "");
  EXPECT_EQ(refusal("empty.mp4"), "");
  EXPECT_EQ(refusal("missing.mp4"), "");
}

TEST_F(Overwrite, MarkedFilesNeedNone) {
  put("mark.html", std::string(100000, 'x') + std::string(kHeddleMark));
  EXPECT_EQ(refusal("mark.html"), "");
  put("late.html", std::string(1 << 20, 'x') + std::string(kHeddleMark));
  EXPECT_NE(refusal("late.html"), "") << "only the beginning counts";
}

TEST_F(Overwrite, PicturesAreMarked) {
  ASSERT_TRUE(write_png(folder_.path / "a.png", Image{1, 1, {1, 2, 3}}));
  EXPECT_EQ(refusal("a.png"), "");
  std::string bytes = *read_file(folder_.path / "a.png");
  bytes[bytes.find("Heddle")] = 'P';
  put("b.png", bytes);
  EXPECT_NE(refusal("b.png"), "");
}

TEST_F(Overwrite, OnlyRegularFilesAreReplaced) {
  std::filesystem::create_directory(folder_.path / "folder.png");
  EXPECT_NE(refusal("folder.png", true).find("is a folder"), std::string::npos);
  EXPECT_FALSE(check_overwrite("/dev/null", true));
}

}  // namespace
}  // namespace heddle
