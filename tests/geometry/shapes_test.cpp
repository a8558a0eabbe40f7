#include <heddle/geometry/shapes.h>
#include <heddle/geometry/signed_distance.h>

#include <gtest/gtest.h>

#include <cmath>

#include "test_shapes.h"

namespace heddle {
namespace {

Value number(double content) {
  return Value(Value::Content(content), {});
}

Value entity(const std::string& type, std::vector<std::pair<std::string, Value>> members) {
  Value::Object object;
  object.push_back({"type", {}, Value(Value::Content(type), {})});
  for (auto& [key, value] : members) object.push_back({key, {}, value});
  return Value(Value::Content(std::move(object)), {});
}

struct Reading {
  Catalogue catalogue;
  Diagnostics diagnostics;
  Reading() { add_shapes(catalogue); }
  Entity read(const Value& value) {
    ReadContext context{catalogue, diagnostics};
    return read_entity(value, "shape", context);
  }
};

TEST(Shapes, AreReadByName) {
  Reading reading;
  const Entity capsule = reading.read(entity("capsule", {{"radius", number(0.2)}, {"length", number(0)}}));
  ASSERT_TRUE(reading.diagnostics.empty()) << reading.diagnostics.text();
  const auto shape = shape_of(capsule);
  ASSERT_TRUE(shape && std::holds_alternative<Capsule>(*shape));
  EXPECT_EQ(std::get<Capsule>(*shape).radius, 0.2);
  EXPECT_EQ(std::get<Capsule>(*shape).length, 0.0);
}

TEST(Shapes, RejectImpossibleSizes) {
  Reading reading;
  reading.read(entity("sphere", {{"radius", number(0)}}));
  EXPECT_TRUE(reading.diagnostics.has_errors());
}

TEST(Shapes, RejectRoundingThatDoesNotFit) {
  Reading fits, too_much;
  fits.read(entity("cylinder", {{"radius", number(0.2)}, {"height", number(1)}, {"rounding", number(0.2)}}));
  EXPECT_FALSE(fits.diagnostics.has_errors()) << fits.diagnostics.text();
  too_much.read(
      entity("cylinder", {{"radius", number(0.2)}, {"height", number(1)}, {"rounding", number(0.3)}}));
  ASSERT_TRUE(too_much.diagnostics.has_errors());
  EXPECT_NE(too_much.diagnostics.text().find("0.2"), std::string::npos) << "the remedy names the limit";
}

TEST(Shapes, DescribeEveryParameter) {
  Catalogue catalogue;
  add_shapes(catalogue);
  EXPECT_EQ(catalogue.names("shape").size(), std::variant_size_v<ShapeVariant>);
  for (const TypeDescription* type : catalogue.types())
    for (const Parameter& parameter : type->parameters) {
      EXPECT_EQ(parameter.options.unit, "m") << type->name << ' ' << parameter.name;
      EXPECT_TRUE(parameter.options.doc.ends_with('.')) << type->name << ' ' << parameter.name;
    }
}

TEST(Shapes, BoundingRadiusIsTight) {
  EXPECT_TRUE(std::isinf(bounding_radius(Plane{})));
  for (const auto& [name, shape] : closed_shapes()) {
    const double radius = bounding_radius(shape);
    double nearest = 1e9;
    for (int i = 0; i < 200; ++i)
      for (int j = 0; j < 200; ++j) {
        const double polar = M_PI * (i + 0.5) / 200, around = 2 * M_PI * j / 200;
        const Vec3 direction(std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around),
                             std::cos(polar));
        nearest = std::min(nearest, signed_distance(shape, radius * direction).distance);
      }
    EXPECT_GT(nearest, -1e-12) << name;
    EXPECT_LT(nearest, 0.02 * radius) << name;
  }
}

}  // namespace
}  // namespace heddle
