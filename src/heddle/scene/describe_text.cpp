#include <heddle/core/text.h>
#include <heddle/scene/describe_text.h>
#include <heddle/scene/example.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;
using Types = std::vector<const TypeDescription*>;

std::string unit_of(const Parameter& parameter) {
  const std::string& unit = parameter.options.unit;
  return unit == "1" ? "" : unit;
}

/// "a number in m, above 0, default 0.5"
std::string facts_of(const Parameter& parameter) {
  std::string text = shape_text(parameter.shape);
  const std::string unit = unit_of(parameter), range = range_text(parameter.options);
  if (!unit.empty()) text += " in " + unit;
  if (!range.empty()) text += ", " + range;
  if (parameter.options.required) return text + ", required";
  return parameter.default_text.empty() ? text + ", optional" : text + ", default " + parameter.default_text;
}

std::string full_name(const TypeDescription& type) {
  return type.category + "." + type.name;
}

Types types_of(const Catalogue& catalogue, std::string_view category) {
  Types types;
  for (const TypeDescription* type : catalogue.types())
    if (type->category == category) types.push_back(type);
  return types;
}

std::string category_text(const Catalogue& catalogue, const std::string& category) {
  std::string text = category + "\n";
  for (const TypeDescription* type : types_of(catalogue, category))
    text += fmt::format("  {:<22}{}\n", type->name, type->summary);
  return text;
}

Json parameter_json(const Parameter& parameter) {
  const ParameterOptions& options = parameter.options;
  Json json{{"name", parameter.name}, {"description", options.doc}, {"kind", shape_text(parameter.shape)}};
  json["unit"] = options.unit;
  json["required"] = options.required;
  if (std::isfinite(options.minimum))
    json[options.above_minimum ? "exclusive_minimum" : "minimum"] = options.minimum;
  if (std::isfinite(options.maximum)) json["maximum"] = options.maximum;
  if (!options.choices.empty()) json["choices"] = options.choices;
  if (!options.category.empty()) json["category"] = options.category;
  const Json value = Json::parse(parameter.default_text, nullptr, false);
  if (!value.is_discarded()) json["default"] = value;
  return json;
}

Json type_json(const TypeDescription& type, const Catalogue& catalogue) {
  Json parameters = Json::array();
  for (const Parameter& parameter : type.parameters) parameters.push_back(parameter_json(parameter));
  return {{"name", type.name},
          {"category", type.category},
          {"summary", type.summary},
          {"parameters", parameters},
          {"example", Json::parse(example_text(type, catalogue))}};
}

std::string cell(std::string text) {
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

std::string type_markdown(const TypeDescription& type, const Catalogue& catalogue) {
  std::string text = fmt::format("### {}\n\n{}\n\n", type.name, type.summary);
  if (!type.parameters.empty())
    text += "| key | value | unit | range | default | meaning |\n|---|---|---|---|---|---|\n";
  for (const Parameter& parameter : type.parameters) {
    const std::string value = parameter.default_text.empty() ? "" : "`" + parameter.default_text + "`";
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", parameter.name,
                        cell(shape_text(parameter.shape)), unit_of(parameter), range_text(parameter.options),
                        parameter.options.required ? "required" : cell(value), cell(parameter.options.doc));
  }
  return text + "\n```json\n" + example_text(type, catalogue) + "\n```\n\n";
}

std::string category_markdown(const Catalogue& catalogue, const std::string& category) {
  std::string text = "## " + category + "\n\n";
  for (const TypeDescription* type : types_of(catalogue, category)) text += type_markdown(*type, catalogue);
  return text;
}

/// The types a user can mean by "grid" or "mesh.grid".
Types find_types(const Catalogue& catalogue, std::string_view name) {
  Types found;
  for (const TypeDescription* type : catalogue.types())
    if (type->name == name || full_name(*type) == name) found.push_back(type);
  return found;
}

Diagnostics unknown_name(const Catalogue& catalogue, std::string_view name,
                         std::span<const std::string> other_names) {
  std::vector<std::string> names = catalogue.categories();
  names.insert(names.end(), other_names.begin(), other_names.end());
  for (const TypeDescription* type : catalogue.types()) {
    names.push_back(type->name);
    names.push_back(full_name(*type));
  }
  const std::string nearest = nearest_name(name, names);
  const std::string remedy = nearest.empty() ? "the categories are " + quoted_list(catalogue.categories())
                                             : "did you mean " + in_quotes(nearest) + "?";
  return failure({}, "nothing is called " + in_quotes(name), remedy);
}

std::string describe_types(const Types& types, const Catalogue& catalogue, DescribeFormat format) {
  std::string text;
  Json list = Json::array();
  for (const TypeDescription* type : types) {
    if (format == DescribeFormat::json) list.push_back(type_json(*type, catalogue));
    if (format == DescribeFormat::markdown) text += type_markdown(*type, catalogue);
    if (format == DescribeFormat::text) text += (text.empty() ? "" : "\n") + describe_type(*type, catalogue);
  }
  return format == DescribeFormat::json ? list.dump(2) + "\n" : text;
}

std::string describe_everything(const Catalogue& catalogue, DescribeFormat format) {
  if (format == DescribeFormat::json) return describe_json(catalogue);
  if (format == DescribeFormat::markdown) return reference_markdown(catalogue);
  return describe_types(catalogue.types(), catalogue, format);
}

}  // namespace

std::string describe_catalogue(const Catalogue& catalogue) {
  std::string text;
  for (const std::string& category : catalogue.categories())
    text += (text.empty() ? "" : "\n") + category_text(catalogue, category);
  return text;
}

std::string describe_type(const TypeDescription& type, const Catalogue& catalogue) {
  std::string text = fmt::format("{}: {}\n", full_name(type), type.summary);
  for (const Parameter& parameter : type.parameters)
    text += fmt::format("\n  {}: {}\n      {}\n", parameter.name, facts_of(parameter), parameter.options.doc);
  return text + "\nExample:\n" + example_text(type, catalogue) + "\n";
}

std::string describe_json(const Catalogue& catalogue) {
  return describe_types(catalogue.types(), catalogue, DescribeFormat::json);
}

std::string describe_json(const TypeDescription& type, const Catalogue& catalogue) {
  return type_json(type, catalogue).dump(2) + "\n";
}

std::string reference_markdown(const Catalogue& catalogue) {
  std::string text =
      "# Scene reference\n\nEvery key of the scene language, written from the program's own descriptions. "
      "Lengths are in metres, times in seconds, z points up.\n\n";
  for (const std::string& category : catalogue.categories()) text += category_markdown(catalogue, category);
  text.pop_back();
  return text;
}

Result<std::string> describe(const Catalogue& catalogue, std::string_view name, DescribeFormat format,
                             std::span<const std::string> other_names) {
  if (name.empty()) return describe_everything(catalogue, format);
  const Types types = find_types(catalogue, name);
  if (!types.empty()) return describe_types(types, catalogue, format);
  const Types members = types_of(catalogue, name);
  if (members.empty()) return unknown_name(catalogue, name, other_names);
  if (format == DescribeFormat::text) return category_text(catalogue, std::string(name));
  return describe_types(members, catalogue, format);
}

std::string describe_object(const DescribedObject& described, DescribeFormat format) {
  const bool markdown = format == DescribeFormat::markdown;
  Json values = Json::object();
  std::string rows;
  for (const Parameter& parameter : described.type.parameters) {
    const std::string value = parameter.write(described.object);
    if (value.empty() || value == "\"\"") continue;
    values[parameter.name] = Json::parse(value);
    const std::string unit = unit_of(parameter);
    rows += markdown ? fmt::format("| `{}` | `{}` | {} | {} |\n", parameter.name, value, unit,
                                   cell(parameter.options.doc))
                     : fmt::format("  {:<18}{}{}\n", parameter.name, value, unit.empty() ? "" : " " + unit);
  }
  const auto& [name, summary, source, type, object] = described;
  if (format == DescribeFormat::json)
    return Json{{"name", name},
                {"type", type.name},
                {"summary", summary},
                {"source", source},
                {"values", values}}
               .dump(2) +
           "\n";
  if (markdown)
    return fmt::format(
        "### {}\n\n{}\n\n| key | value | unit | meaning |\n|---|---|---|---|\n{}\nSource: {}\n", name,
        summary, rows, source);
  return fmt::format("{} {}: {}\n\n{}\nSource: {}\n", type.name, name, summary, rows, source);
}

}  // namespace heddle
