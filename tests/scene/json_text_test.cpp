#include <heddle/scene/json_text.h>

#include <gtest/gtest.h>

#include <limits>

namespace heddle {
namespace {

Value parse(const std::string& text) {
  const Result<Value> result = parse_json_text(text, "a.json");
  EXPECT_TRUE(result) << result.errors().text();
  return result ? *result : Value();
}

std::string errors(const std::string& text) {
  const Result<Value> result = parse_json_text(text, "a.json");
  return result ? "" : result.errors().text();
}

TEST(JsonText, ReadsEveryKindOfValue) {
  const Value value = parse(R"({"a": null, "b": true, "c": -1.5e-3, "d": "text", "e": [1, 2], "f": {}})");
  EXPECT_TRUE(value.find("a")->is_null());
  EXPECT_TRUE(value.find("b")->boolean());
  EXPECT_EQ(value.find("c")->number(), -1.5e-3);
  EXPECT_EQ(value.find("d")->string(), "text");
  EXPECT_EQ(value.find("e")->list().size(), 2U);
  EXPECT_TRUE(value.find("f")->object().empty());
}

TEST(JsonText, ReadsNumbersExactly) {
  EXPECT_EQ(parse("0.1").number(), 0.1);
  EXPECT_EQ(parse("-0").number(), 0.0);
  EXPECT_EQ(parse("1E+2").number(), 100.0);
  EXPECT_EQ(parse("9007199254740993").number(), 9007199254740992.0);
}

TEST(JsonText, KnowsThePlaceOfEveryValueAndKey) {
  const Value value = parse("{\n  \"a\": 1,\r\n\t\"b\": [10,\n 20]\n}");
  const Value::Member& b = value.object()[1];
  EXPECT_EQ(to_string(value.where), "a.json:1:1");
  EXPECT_EQ(to_string(value.object()[0].key_where), "a.json:2:3");
  EXPECT_EQ(to_string(value.object()[0].value.where), "a.json:2:8");
  EXPECT_EQ(to_string(b.key_where), "a.json:3:2");
  EXPECT_EQ(to_string(b.value.list()[0].where), "a.json:3:8");
  EXPECT_EQ(to_string(b.value.list()[1].where), "a.json:4:2");
}

TEST(JsonText, CountsColumnsInCharacters) {
  const Value value = parse("[\"äöü€😀\", 7]");
  EXPECT_EQ(to_string(value.list()[1].where), "a.json:1:11");
}

TEST(JsonText, SkipsCommentsTrailingCommasAndByteOrderMark) {
  const Value value = parse("\xEF\xBB\xBF// first\n{ /* x\n */ \"a\": [1, 2,], // y\n }\n// last");
  EXPECT_EQ(value.find("a")->list().size(), 2U);
  EXPECT_EQ(to_string(value.where), "a.json:2:1");
}

TEST(JsonText, ReadsEscapes) {
  EXPECT_EQ(parse(R"("\"\\\/\b\f\n\r\t")").string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(parse(R"("\u00e9\u20AC\ud83d\ude00")").string(), "é€😀");
}

TEST(JsonText, NumbersBeyondDoubleAreInfiniteOrZero) {
  EXPECT_EQ(parse("1e999").number(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse("-" + std::string(400, '9')).number(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse("-1E-999").number(), 0);
  EXPECT_EQ(parse("0." + std::string(400, '0') + "1").number(), 0);
}

TEST(JsonText, AllowsTheLargestDepthAndNoMore) {
  const auto nested = [](int depth) {
    return std::string(static_cast<size_t>(depth), '[') + std::string(static_cast<size_t>(depth), ']');
  };
  EXPECT_EQ(errors(nested(kMaximumSceneDepth)), "");
  EXPECT_EQ(errors(nested(kMaximumSceneDepth + 1)),
            "a.json:1:201: error: lists and objects are nested deeper than 200 levels\n");
  EXPECT_NE(errors(std::string(1000000, '[')), "");
}

TEST(JsonText, RefusesTextThatIsTooLong) {
  EXPECT_EQ(
      errors(std::string(kMaximumSceneBytes + 1, ' ')),
      "a.json: error: the scene is longer than 8 MiB; keep large data such as meshes in their own files\n");
}

TEST(JsonText, StopsAfterTwentyErrors) {
  std::string text = "[";
  for (int i = 0; i < 100; ++i) text += "0x1,\n";
  const Result<Value> result = parse_json_text(text + "]", "a.json");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.errors().error_count(), 20U);
}

TEST(JsonText, ReportsSeveralErrorsAtOnce) {
  EXPECT_EQ(errors("{\n  \"a\": 1\n  \"b\": 0x10,\n  c: tru,\n  \"d\": [1 2}\n}"),
            "a.json:2:9: error: missing \",\" after the value of \"a\"\n"
            "a.json:3:8: error: hexadecimal numbers are not allowed; found \"0x10\"\n"
            "a.json:4:3: error: keys need double quotes; write \"c\"\n"
            "a.json:4:6: error: unexpected \"tru\"; texts need double quotes\n"
            "a.json:5:10: error: missing \",\" after this element of the list\n"
            "a.json:5:12: error: expected \"]\" to close the \"[\" of line 5, found \"}\"\n"
            "a.json:6:1: error: unexpected text after the end of the scene\n");
}

struct BadText {
  const char* text;
  const char* message;
};

class BadJson : public testing::TestWithParam<BadText> {};

TEST_P(BadJson, IsReported) {
  EXPECT_EQ(errors(GetParam().text), std::string("a.json:") + GetParam().message + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, BadJson,
    testing::Values(
        BadText{"", "1:1: error: the scene is empty; expected an object in { }"},
        BadText{" // only a comment", "1:19: error: the scene is empty; expected an object in { }"},
        BadText{"{} x", "1:4: error: unexpected text after the end of the scene"},
        BadText{"\xFF\xFE{\x01}", "1:1: error: this is not UTF-8 text; save the file as UTF-8"},
        BadText{"[\"\xC3(\"]", "1:3: error: this is not UTF-8 text; save the file as UTF-8"},
        BadText{"[NaN]", "1:2: error: \"NaN\" is not allowed; every number must be finite"},
        BadText{"[-Infinity]", "1:2: error: \"-Infinity\" is not allowed; every number must be finite"},
        BadText{"[0x1F]", "1:2: error: hexadecimal numbers are not allowed; found \"0x1F\""},
        BadText{"[007]", "1:2: error: numbers do not begin with a needless 0; found \"007\""},
        BadText{"[+1]", "1:2: error: numbers do not begin with \"+\"; found \"+1\""},
        BadText{"[.5]", "1:2: error: numbers do not begin with a point; found \".5\""},
        BadText{"[5.]", "1:2: error: a digit must follow the point of a number; found \"5.\""},
        BadText{"[1.2.3]", "1:2: error: \"1.2.3\" is not a number; numbers look like 12, -0.5 or 1e-3"},
        BadText{"[5cm]", "1:2: error: \"5cm\" is not a number; numbers look like 12, -0.5 or 1e-3"},
        BadText{"[True]", "1:2: error: unexpected \"True\"; did you mean true (in lower case)?"},
        BadText{"[,1]", "1:2: error: expected a value, found \",\""},
        BadText{"[1,,2]", "1:4: error: expected a value, found \",\""},
        BadText{"[1 @ 2]", "1:4: error: expected \",\" or \"]\", found \"@\""},
        BadText{"[\"abc]\n", "1:2: error: this string does not end on its line; add the closing \""},
        BadText{"['abc']", "1:2: error: texts need double quotes; found a single quote"},
        BadText{"[\"a\\qb\"]",
                "1:4: error: unknown escape in a string; write \\\\ for a backslash, or use / in file names"},
        BadText{"[\"\\u12G4\"]", "1:3: error: \"\\u\" needs four hexadecimal digits; as in \\u00e9"},
        BadText{"[\"\\ud83d\"]",
                "1:3: error: half of a surrogate pair; write the character itself, the file is UTF-8"},
        BadText{"[\"\\u0000\"]", "1:3: error: \"\\u0000\" is not allowed in a string"},
        BadText{"[\"a\x01\"]",
                "1:4: error: control character in a string; write it as an escape such as \\n"},
        BadText{"{\"a\": 1}\n/* never", "2:1: error: this comment does not end; add */"},
        BadText{"{\"a\": {\"b\": 1}", "1:1: error: this \"{\" is never closed; add \"}\""},
        BadText{"{\"a\": [1, 2}", "1:12: error: expected \"]\" to close the \"[\" of line 1, found \"}\""},
        BadText{"{\"a\": 1]}", "1:8: error: expected \"}\" to close the \"{\" of line 1, found \"]\""},
        BadText{"{\"a\" 1}", "1:5: error: missing \":\" after the key \"a\""},
        BadText{"{\"a\" = 1}", "1:6: error: expected \":\" after the key \"a\", found \"=\""},
        BadText{"{\"a\": }", "1:7: error: the key \"a\" has no value"},
        BadText{"{\"a\", \"b\": 1}", "1:5: error: the key \"a\" has no value"},
        BadText{"{[1]: 2}", "1:2: error: expected a key in double quotes, found \"[\""},
        BadText{
            "{\"a\": 1,\n \"a\": 2}",
            "2:2: error: duplicate key \"a\"; it was first given at line 1, column 2; remove one of them"}));

}  // namespace
}  // namespace heddle
