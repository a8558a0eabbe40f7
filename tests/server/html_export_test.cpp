#include "synthetic_run.h"

#include "server/html_export.h"
#include "server/web_page.h"

#include <heddle/io/atomic_file.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

namespace fs = std::filesystem;

class HtmlExportTest : public ::testing::Test {
 protected:
  HtmlExportTest()
      : folder_(fs::path(HEDDLE_BINARY_DIR) / "test_output" /
                ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  fs::path folder_;
};

std::string element(const std::string& page, const std::string& id) {
  const size_t start = page.find("id=\"" + id + "\">");
  if (start == std::string::npos) return "";
  const size_t text = start + id.size() + 6;
  return page.substr(text, page.find("</script>", text) - text);
}

TEST_F(HtmlExportTest, WritesOnePageWithEveryFrame) {
  if (!has_web_viewer()) GTEST_SKIP() << "built without the viewer";
  test::SyntheticRun(10).write(folder_ / "run", 20);
  const Result<RunReader> run = RunReader::open(folder_ / "run");
  ASSERT_TRUE(run.ok());
  ASSERT_TRUE(export_html(*run, folder_ / "run.html").ok());
  const std::string page = *read_file(folder_ / "run.html");
  const auto header = nlohmann::json::parse(element(page, "heddle-export"));
  EXPECT_EQ(header["frames"].size(), 20u);
  EXPECT_EQ(header["chunks"], 3);
  EXPECT_EQ(header["objects"].size(), 3u);
  EXPECT_NE(element(page, "heddle-chunk-2"), "");
  EXPECT_EQ(element(page, "heddle-chunk-3"), "");
  EXPECT_NE(element(page, "heddle-model"), "");
  EXPECT_EQ(header["objects"][0]["pressed_vertices"], 121);
  EXPECT_NE(element(page, "heddle-intersections"), "");
  EXPECT_EQ(page.find("http-equiv"), std::string::npos);
  EXPECT_EQ(page.find("<script type=\"module\" src"), std::string::npos);
}

TEST_F(HtmlExportTest, RunWithoutFramesIsAnErrorAndWritesNothing) {
  if (!has_web_viewer()) GTEST_SKIP() << "built without the viewer";
  test::SyntheticRun(4).write(folder_ / "run", 0);
  const Result<RunReader> run = RunReader::open(folder_ / "run");
  if (!run) GTEST_SKIP() << "a run without frames cannot be opened";
  EXPECT_FALSE(export_html(*run, folder_ / "run.html").ok());
  EXPECT_FALSE(fs::exists(folder_ / "run.html"));
}

TEST_F(HtmlExportTest, DamagedFrameIsAnErrorAndWritesNothing) {
  if (!has_web_viewer()) GTEST_SKIP() << "built without the viewer";
  test::SyntheticRun(4).write(folder_ / "run", 3);
  const Result<RunReader> run = RunReader::open(folder_ / "run");
  ASSERT_TRUE(run.ok());
  ASSERT_TRUE(write_file_atomically(run->folder().frame(1), "garbage").ok());
  const Status written = export_html(*run, folder_ / "run.html");
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.errors().text().find("000001.snap"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "run.html"));
}

}  // namespace
}  // namespace heddle
