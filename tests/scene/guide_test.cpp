#include <heddle/scene/json_text.h>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace heddle {
namespace {

TEST(Guide, EveryJsonExampleCanBeRead) {
  std::stringstream page;
  page << std::ifstream(HEDDLE_SOURCE_DIR "/docs/guides/scenes.md").rdbuf();
  const std::string text = page.str(), fence = "```json\n";
  int examples = 0;
  for (size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    const std::string example = text.substr(at, text.find("```", at) - at);
    const Result<Value> value = parse_json_text(example, "example");
    EXPECT_TRUE(value) << example << value.errors().text();
    ++examples;
  }
  EXPECT_GE(examples, 10);
}

}  // namespace
}  // namespace heddle
