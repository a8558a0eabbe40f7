#include <heddle/core/describe.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

struct Inner {
  double depth = 1;
  SourceLocation where;
  static void describe(Describer<Inner>& d) {
    d.type("inner", "part", "A part.");
    d.parameter("depth", &Inner::depth, {.unit = "m", .doc = "Depth.", .minimum = 0, .above_minimum = true});
  }
};

struct Base {
  bool flag = false;
};

struct Ball : Base {
  double radius = 0.5;
  int count = 1;
  std::string colour = "red";
  std::array<double, 2> size{1, 2};
  std::optional<double> release;
  std::vector<int> numbers;
  std::map<std::string, double> named;
  Inner inner;
  Entity partner;
  static void describe(Describer<Ball>& d) {
    d.type("ball", "shape", "A ball.");
    d.parameter("flag", &Ball::flag, {.unit = "", .doc = "Flag."});
    d.parameter("radius", &Ball::radius,
                {.unit = "m",
                 .doc = "Radius.",
                 .minimum = 0,
                 .maximum = 10,
                 .above_minimum = true,
                 .required = true});
    d.parameter("count", &Ball::count, {.doc = "Count.", .minimum = 1});
    d.parameter("colour", &Ball::colour, {.unit = "", .doc = "Colour.", .choices = {"red", "green"}});
    d.parameter("size", &Ball::size, {.unit = "m", .doc = "Size."});
    d.parameter("release", &Ball::release, {.unit = "s", .doc = "Release.", .maximum = 5});
    d.parameter("numbers", &Ball::numbers, {.unit = "", .doc = "Numbers."});
    d.parameter("named", &Ball::named, {.unit = "", .doc = "Named numbers."});
    d.parameter("inner", &Ball::inner, {.unit = "", .doc = "Inner part."});
    d.parameter("partner", &Ball::partner, {.unit = "", .doc = "Another shape.", .category = "shape"});
    d.validate([](const Ball& ball, const SourceLocation& where, Diagnostics& diagnostics) {
      if (ball.count > 1 && ball.radius > 1) diagnostics.error(where, "too many large balls");
      if (ball.count > 100) diagnostics.warning(where, "many balls");
    });
  }
};

Value at(Value::Content content, int column = 1) {
  return Value(std::move(content), {"f", 1, column});
}

Value object(std::vector<std::pair<std::string, Value>> members, int column = 1) {
  Value::Object result;
  for (auto& [key, value] : members)
    result.push_back({key, {"f", 2, static_cast<int>(result.size()) + 1}, value});
  return at(std::move(result), column);
}

class Description : public testing::Test {
 protected:
  Description() { catalogue_.add(description_of<Ball>()); }

  std::string read(const Value& value) {
    Diagnostics diagnostics;
    ReadContext context{catalogue_, diagnostics};
    ValueTraits<Ball>::read(value, ball_, {}, context);
    return diagnostics.text();
  }
  std::string read_member(const std::string& key, Value value) {
    return read(object({{"radius", at(1.0)}, {key, std::move(value)}}));
  }

  Catalogue catalogue_;
  Ball ball_;
};

TEST_F(Description, ReadsEveryKind) {
  EXPECT_EQ(read(object({{"flag", at(true)},
                         {"radius", at(2.0)},
                         {"count", at(1.0)},
                         {"colour", at(std::string("green"))},
                         {"size", at(Value::List{at(3.0), at(4.0)})},
                         {"release", at(4.5)},
                         {"numbers", at(Value::List{at(7.0)})},
                         {"named", object({{"x", at(8.0)}})},
                         {"inner", object({{"depth", at(9.0)}}, 42)},
                         {"partner", object({{"type", at(std::string("ball"))}, {"radius", at(3.0)}})}})),
            "");
  EXPECT_TRUE(ball_.flag);
  EXPECT_EQ(ball_.radius, 2);
  EXPECT_EQ(ball_.colour, "green");
  EXPECT_EQ(ball_.size[1], 4);
  EXPECT_EQ(ball_.release, 4.5);
  EXPECT_EQ(ball_.numbers, std::vector<int>{7});
  EXPECT_EQ(ball_.named.at("x"), 8);
  EXPECT_EQ(ball_.inner.depth, 9);
  EXPECT_EQ(ball_.inner.where.column, 42);
  EXPECT_EQ(ball_.partner.as<Ball>().radius, 3);
  EXPECT_THROW(ball_.partner.as<Inner>(), CheckFailure);
}

TEST_F(Description, ReportsWrongKinds) {
  EXPECT_EQ(read_member("flag", at(1.0, 5)), "f:1:5: error: expected true or false, found a number\n");
  EXPECT_EQ(read_member("count", at(1.5, 5)), "f:1:5: error: expected a whole number, found 1.5\n");
  EXPECT_EQ(read_member("size", at(Value::List{at(1.0)}, 5)),
            "f:1:5: error: expected a list of 2 numbers, found a list of 1\n");
  EXPECT_EQ(read_member("colour", at(1.0, 5)),
            "f:1:5: error: expected \"red\" or \"green\", found a number\n");
  EXPECT_EQ(read_member("numbers", at(true, 5)),
            "f:1:5: error: expected a list of whole numbers, found a boolean\n");
  EXPECT_EQ(read_member("named", at(1.0, 5)),
            "f:1:5: error: expected an object of named numbers, found a number\n");
  EXPECT_EQ(read_member("inner", at(1.0, 5)), "f:1:5: error: expected an inner object, found a number\n");
  EXPECT_EQ(read_member("partner", at(1.0, 5)),
            "f:1:5: error: expected a shape object with a \"type\", found a number\n");
}

TEST_F(Description, ReportsRangesWithUnit) {
  EXPECT_EQ(read(object({{"radius", at(0.0, 5)}})),
            "f:1:5: error: 0 m is out of range; expected above 0 and at most 10 m\n");
  EXPECT_EQ(read_member("count", at(0.0, 5)), "f:1:5: error: 0 is out of range; expected at least 1\n");
  EXPECT_EQ(read_member("release", at(6.0, 5)),
            "f:1:5: error: 6 s is out of range; expected at least -1e+09 and at most 5 s\n");
  EXPECT_FALSE(ball_.release);
}

TEST_F(Description, WholeNumbersBeyondTheMachineAreOutOfRange) {
  for (const double number : {4294967297.0, 1e300})
    EXPECT_EQ(read_member("count", at(number, 5)),
              "f:1:5: error: " + number_text(number) +
                  " is out of range; expected at least 1 and at most 2147483647\n");
  EXPECT_EQ(read(object({{"radius", at(0.5)}, {"count", at(2147483647.0)}})), "f:1:1: warning: many balls\n");
  EXPECT_EQ(ball_.count, 2147483647);
}

TEST_F(Description, UnitsLimitWhatHasNoRangeOfItsOwn) {
  EXPECT_EQ(read_member("size", at(Value::List{at(1e4), at(-1e4)})), "");
  EXPECT_EQ(read_member("size", at(Value::List{at(1.0), at(1e30, 7)})),
            "f:1:7: error: 1e+30 m is out of range; expected from -10000 to 10000 m\n");
  EXPECT_EQ(read_member("inner", object({{"depth", at(1e30, 7)}})),
            "f:1:7: error: 1e+30 m is out of range; expected above 0 and at most 10000 m\n");
  EXPECT_EQ(description_of<Ball>().find("radius")->options.maximum, 10) << "its own range is narrower";
  EXPECT_EQ(range_text(description_of<Ball>().find("named")->options), "") << "no unit, no limit";
}

TEST_F(Description, WritesTheValuesOfAnObject) {
  ball_.radius = 2.5;
  EXPECT_EQ(description_of<Ball>().find("radius")->write(&ball_), "2.5");
  EXPECT_EQ(description_of<Ball>().find("colour")->write(&ball_), "\"red\"");
}

TEST_F(Description, ReportsUnknownNamesWithTheNearest) {
  EXPECT_EQ(read_member("colur", at(1.0)),
            "f:2:2: error: unknown key \"colur\" in ball; did you mean \"colour\"?\n");
  EXPECT_EQ(read_member("colour", at(std::string("gren"), 5)),
            "f:1:5: error: unknown word \"gren\"; did you mean \"green\"?\n");
  EXPECT_EQ(read_member("partner", object({{"type", at(std::string("bal"), 5)}})),
            "f:1:5: error: unknown shape \"bal\"; did you mean \"ball\"?\n");
  EXPECT_EQ(read_member("partner", object({}, 6)),
            "f:1:6: error: shape needs a \"type\"; expected \"ball\"\n");
}

TEST_F(Description, ReportsAllErrorsOfAnObject) {
  EXPECT_EQ(
      read(object({{"flag", at(1.0, 5)}, {"nonsense", at(1.0)}}, 9)),
      "f:1:5: error: expected true or false, found a number\n"
      "f:2:2: error: unknown key \"nonsense\" in ball; expected \"flag\", \"radius\", \"count\", \"colour\", "
      "\"size\", \"release\", \"numbers\", \"named\", \"inner\" or \"partner\"\n"
      "f:1:9: error: ball needs \"radius\"; expected a number: Radius.\n");
}

TEST_F(Description, ValidatesWholeObjects) {
  EXPECT_EQ(read(object({{"radius", at(2.0)}, {"count", at(3.0)}}, 9)),
            "f:1:9: error: too many large balls\n");
}

TEST_F(Description, WarningsDoNotSpoilAnObject) {
  Diagnostics diagnostics;
  ReadContext context{catalogue_, diagnostics};
  const Value value = object({{"radius", at(0.5)}, {"count", at(101.0)}});
  EXPECT_TRUE(ValueTraits<Ball>::read(value, ball_, {}, context));
  EXPECT_EQ(diagnostics.text(), "f:1:1: warning: many balls\n");
}

TEST_F(Description, KnowsDefaultsAndShapes) {
  const TypeDescription& type = description_of<Ball>();
  EXPECT_EQ(type.find("radius")->default_text, "");
  EXPECT_EQ(type.find("colour")->default_text, "\"red\"");
  EXPECT_EQ(type.find("size")->default_text, "[1, 2]");
  EXPECT_EQ(type.find("release")->default_text, "");
  EXPECT_EQ(type.find("inner")->shape.description, &description_of<Inner>());
  EXPECT_EQ(type.find("nothing"), nullptr);
  EXPECT_EQ(shape_text(type.find("numbers")->shape), "a list of whole numbers");
}

TEST(Shape, TellsWholeVectorsFromOthers) {
  EXPECT_EQ(shape_text(ValueTraits<std::array<int, 2>>::shape({})), "a list of 2 whole numbers");
  EXPECT_EQ(shape_text(ValueTraits<std::array<double, 3>>::shape({})), "a list of 3 numbers");
}

TEST(Catalogue, FindsByCategoryAndRefusesDuplicates) {
  Catalogue catalogue;
  catalogue.add(description_of<Ball>());
  catalogue.add(description_of<Inner>());
  EXPECT_EQ(catalogue.find("shape", "ball"), &description_of<Ball>());
  EXPECT_EQ(catalogue.find("part", "ball"), nullptr);
  EXPECT_EQ(catalogue.categories(), (std::vector<std::string>{"shape", "part"}));
  EXPECT_EQ(catalogue.names("part"), std::vector<std::string>{"inner"});
  EXPECT_THROW(catalogue.add(description_of<Ball>()), CheckFailure);
}

}  // namespace
}  // namespace heddle
