#include <heddle/core/text.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Text, EditDistanceCountsSwapsOnce) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("resolutoin", "resolution"), 1);
}

TEST(Text, NearestNameIsNearOrEmpty) {
  const std::vector<std::string> names{"box", "sphere", "capsule", "uv"};
  EXPECT_EQ(nearest_name("shpere", names), "sphere");
  EXPECT_EQ(nearest_name("bx", names), "box");
  EXPECT_EQ(nearest_name("ab", names), "");
  EXPECT_EQ(nearest_name("tetrahedron", names), "");
  EXPECT_EQ(nearest_name(std::string(1000000, 'x'), names), "");
}

TEST(Text, QuotesForMessages) {
  EXPECT_EQ(in_quotes("a b"), "\"a b\"");
  EXPECT_EQ(in_quotes(std::string_view("a\n\0b", 4)), "\"a\\u000a\\u0000b\"");
  EXPECT_EQ(in_quotes(std::string(199, 'x') + "é!"), "\"" + std::string(199, 'x') + "…\"");
}

TEST(Text, CountsInSingularAndPlural) {
  EXPECT_EQ(counted(1, "thread"), "1 thread");
  EXPECT_EQ(counted(0, "thread"), "0 threads");
  EXPECT_EQ(counted(1, "vertex", "vertices"), "1 vertex");
  EXPECT_EQ(counted(2, "vertex", "vertices"), "2 vertices");
}

TEST(Text, PathsForAShell) {
  EXPECT_EQ(shell_path("out/run_2-b.json"), "out/run_2-b.json");
  EXPECT_EQ(shell_path("my run"), "'my run'");
  EXPECT_EQ(shell_path("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_path("$HOME;*"), "'$HOME;*'");
  EXPECT_EQ(shell_path("~/run"), "'~/run'");
  EXPECT_EQ(shell_path("-o"), "./-o");
  EXPECT_EQ(shell_path("é"), "'é'");
  EXPECT_EQ(shell_path(""), "''");
}

TEST(Text, JoinsWords) {
  EXPECT_EQ(quoted_list(std::vector<std::string>{}), "");
  EXPECT_EQ(quoted_list(std::vector<std::string>{"a", "b", "c"}), R"("a", "b" or "c")");
  EXPECT_EQ(with_article("obstacle"), "an obstacle");
  EXPECT_EQ(with_article("cloth"), "a cloth");
}

TEST(Text, WritesShortNumbers) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-9.81), "-9.81");
  EXPECT_EQ(number_text(1e6), "1e+06");
}

}  // namespace
}  // namespace heddle
