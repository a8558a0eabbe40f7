#include <heddle/core/result.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Diagnostics, WritesWhatIsKnown) {
  Diagnostics diagnostics;
  diagnostics.error({"a.json", 3, 7}, "wrong", "mend it");
  diagnostics.warning({"a.json", 0, 0}, "odd");
  diagnostics.error({}, "bad");
  EXPECT_EQ(diagnostics.text(), "a.json:3:7: error: wrong; mend it\na.json: warning: odd\nerror: bad\n");
}

TEST(Diagnostics, CountsErrorsOnly) {
  Diagnostics diagnostics, more;
  diagnostics.warning({}, "odd");
  EXPECT_FALSE(diagnostics.has_errors());
  more.error({}, "bad");
  more.warning({}, "odd");
  diagnostics.append(more);
  EXPECT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.items().size(), 3U);
}

TEST(Diagnostics, SortsByFileAndPlace) {
  Diagnostics diagnostics;
  diagnostics.error({"c", 1, 1}, "5");
  diagnostics.error({"a", 2, 1}, "4");
  diagnostics.error({"b", 10, 1}, "3");
  diagnostics.error({"b", 9, 5}, "1");
  diagnostics.error({"b", 9, 5}, "2");
  diagnostics.sort_by_place({"b", "a"});
  std::string order;
  for (const Diagnostic& item : diagnostics.items()) order += item.message;
  EXPECT_EQ(order, "12345");
}

TEST(Result, HoldsAValueOrTheReasons) {
  const Result<int> good = 3;
  const Result<int> bad = failure({"f", 1, 1}, "no");
  EXPECT_EQ(*good, 3);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.errors().text(), "f:1:1: error: no\n");
  EXPECT_THROW(bad.value(), CheckFailure);
  EXPECT_THROW(Result<int>{Diagnostics{}}, CheckFailure);
}

}  // namespace
}  // namespace heddle
