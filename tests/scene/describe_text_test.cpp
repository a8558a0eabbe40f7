#include "toy_types.h"

#include <heddle/scene/describe_text.h>
#include <heddle/scene/example.h>
#include <heddle/scene/json_text.h>
#include <heddle/scene/scene_types.h>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace heddle::test {
namespace {

Catalogue full_catalogue() {
  Catalogue catalogue = toy_catalogue();
  add_scene_types(catalogue);
  return catalogue;
}

TEST(Describe, ListsTheCatalogue) {
  const std::string text = describe_catalogue(toy_catalogue());
  EXPECT_EQ(text.substr(0, text.find("\n\n")),
            "mesh\n  grid                  A rectangle of triangles.\n  file                  A mesh read "
            "from a file.");
}

TEST(Describe, DescribesAType) {
  const Catalogue catalogue = toy_catalogue();
  EXPECT_EQ(*describe(catalogue, "grid"),
            "mesh.grid: A rectangle of triangles.\n"
            "\n  size: a list of 2 numbers in m, above 0 and at most 10000, default [1, 1]\n      Width and "
            "height.\n"
            "\n  resolution: a whole number, at least 1 and at most 1000, default 10\n      Cells along each "
            "side.\n"
            "\nExample:\n{\n  \"type\": \"grid\",\n  \"size\": [1, 1],\n  \"resolution\": 10\n}\n");
  EXPECT_EQ(*describe(catalogue, "mesh.grid"), *describe(catalogue, "grid"));
}

TEST(Describe, GivesAllTypesOfAnAmbiguousName) {
  const std::string text = *describe(toy_catalogue(), "file");
  EXPECT_NE(text.find("mesh.file: "), std::string::npos);
  EXPECT_NE(text.find("shape.file: "), std::string::npos);
  EXPECT_EQ(describe(toy_catalogue(), "shape.file")->find("mesh.file"), std::string::npos);
}

TEST(Describe, GivesACategory) {
  EXPECT_EQ(*describe(toy_catalogue(), "force"), "force\n  wind                  Air that moves.\n");
}

TEST(Describe, OffersTheNearestName) {
  EXPECT_EQ(describe(toy_catalogue(), "gird").errors().text(),
            "error: nothing is called \"gird\"; did you mean \"grid\"?\n");
  EXPECT_EQ(describe(toy_catalogue(), "photosynthesis").errors().text(),
            "error: nothing is called \"photosynthesis\"; the categories are \"mesh\", \"shape\", \"force\", "
            "\"bending\", \"integrator\", \"material\", \"curve\" or \"rod_material\"\n");
}

TEST(Describe, OffersNamesThatTheCallerKnows) {
  const std::vector<std::string> others{"cotton"};
  EXPECT_EQ(describe(toy_catalogue(), "coton", DescribeFormat::text, others).errors().text(),
            "error: nothing is called \"coton\"; did you mean \"cotton\"?\n");
}

TEST(Describe, ShowsTheValuesOfAnObject) {
  const Fabric felt{.density = 0.3, .thickness = 0.002};
  const DescribedObject described{"felt", "A felt.", "Estimated.", description_of<Fabric>(), &felt};
  EXPECT_EQ(describe_object(described),
            "fabric felt: A felt.\n\n  density           0.3 kg/m2\n  thickness         0.002 m\n"
            "\nSource: Estimated.\n");
  const auto json = nlohmann::json::parse(describe_object(described, DescribeFormat::json));
  EXPECT_EQ(json["values"]["thickness"], 0.002);
  EXPECT_EQ(json["source"], "Estimated.");
  EXPECT_NE(describe_object(described, DescribeFormat::markdown).find("| `density` | `0.3` | kg/m2 | Mass"),
            std::string::npos);
}

TEST(Describe, KnowsThePartsOfAScene) {
  Catalogue catalogue = full_catalogue();
  add_scene_types(catalogue);
  for (const char* name : {"scene", "cloth", "obstacle", "pin", "attachment", "region", "paint", "selection",
                           "output", "motion", "key_frames"})
    EXPECT_TRUE(describe(catalogue, name)) << name;
  EXPECT_NE(
      describe(catalogue, "pin")->find("release: a number in s, at least 0 and at most 1e+09, optional"),
      std::string::npos);
}

TEST(Describe, WritesJson) {
  const auto json = nlohmann::json::parse(*describe(full_catalogue(), "sphere", DescribeFormat::json));
  ASSERT_EQ(json.size(), 1U);
  const auto& radius = json[0]["parameters"][0];
  EXPECT_EQ(json[0]["category"], "shape");
  EXPECT_EQ(radius["name"], "radius");
  EXPECT_EQ(radius["unit"], "m");
  EXPECT_EQ(radius["default"], 0.5);
  EXPECT_EQ(radius["exclusive_minimum"], 0.0);
  const auto all = nlohmann::json::parse(describe_json(full_catalogue()));
  EXPECT_EQ(all.size(), full_catalogue().types().size());
}

TEST(Describe, WritesMarkdown) {
  const std::string page = reference_markdown(full_catalogue());
  EXPECT_NE(page.find("\n## mesh\n\n### grid\n\nA rectangle of triangles.\n\n| key |"), std::string::npos);
  EXPECT_NE(page.find("| `radius` | a number | m | above 0 and at most 10000 | `0.5` | Radius. |\n"),
            std::string::npos);
  EXPECT_NE(page.find("| `mesh` | a mesh object with a \"type\" |  |  | required |"), std::string::npos);
}

TEST(Describe, EveryDescribedParameterHasASentence) {
  const Catalogue catalogue = full_catalogue();
  for (const TypeDescription* type : catalogue.types())
    for (const Parameter& parameter : type->parameters) {
      ASSERT_FALSE(parameter.options.doc.empty()) << type->name << "." << parameter.name;
      EXPECT_EQ(parameter.options.doc.back(), '.') << type->name << "." << parameter.name;
    }
}

TEST(Describe, EveryExampleIsValid) {
  const Catalogue catalogue = full_catalogue();
  for (const TypeDescription* type : catalogue.types()) {
    if (type->name == "key_frames") continue;
    const std::string text = example_text(*type, catalogue);
    const Result<Value> value = parse_json_text(text, type->name);
    ASSERT_TRUE(value) << value.errors().text();
    Diagnostics diagnostics;
    ReadContext context{catalogue, diagnostics};
    read_object(*value, *type, type->create().get(), context, type->category != "part");
    EXPECT_EQ(diagnostics.text(), "") << text;
  }
}

}  // namespace
}  // namespace heddle::test
