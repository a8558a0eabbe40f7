#include <heddle/scene/example.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLineWidth = 80;

double sample_number(const ParameterOptions& options) {
  const bool low = options.above_minimum ? options.minimum < 1 : options.minimum <= 1;
  if (low && options.maximum >= 1) return 1;
  if (!low) return options.above_minimum ? std::min(2 * options.minimum, options.maximum) : options.minimum;
  return options.maximum;
}

Json sample_object(const TypeDescription& type, const Catalogue& catalogue, bool with_defaults);

Json sample_entity(const std::string& category, const Catalogue& catalogue) {
  const std::vector<std::string> names = catalogue.names(category);
  if (names.empty()) return {{"type", ""}};
  return sample_object(*catalogue.find(category, names[0]), catalogue, false);
}

Json sample_value(const Shape& shape, const ParameterOptions& options, const Catalogue& catalogue) {
  switch (shape.kind) {
    case Shape::Kind::boolean:
      return true;
    case Shape::Kind::integer:
      return static_cast<int>(sample_number(options));
    case Shape::Kind::number:
      return sample_number(options);
    case Shape::Kind::text:
      return "name";
    case Shape::Kind::path:
      return "folder/file";
    case Shape::Kind::choice:
      return shape.choices.at(0);
    case Shape::Kind::vector:
      if (!shape.inner.empty())
        return std::vector<int>(static_cast<size_t>(shape.size), static_cast<int>(sample_number(options)));
      return std::vector<double>(static_cast<size_t>(shape.size), sample_number(options));
    case Shape::Kind::list:
      return Json::array({sample_value(shape.inner[0], options, catalogue)});
    case Shape::Kind::map:
      return {{"name", sample_value(shape.inner[0], options, catalogue)}};
    case Shape::Kind::object:
      if (!shape.description) return Json::object();
      if (!shape.description->example.empty()) return Json::parse(shape.description->example);
      return sample_object(*shape.description, catalogue, false);
    case Shape::Kind::entity:
      return sample_entity(shape.type, catalogue);
    case Shape::Kind::any_of:
      break;
  }
  return sample_value(shape.inner[0], options, catalogue);
}

Json sample_object(const TypeDescription& type, const Catalogue& catalogue, bool with_defaults) {
  Json object = Json::object();
  if (type.category != "part" && type.find("type") == nullptr) object["type"] = type.name;
  for (const Parameter& parameter : type.parameters) {
    const Json value = Json::parse(parameter.default_text, nullptr, false);
    if (parameter.options.required)
      object[parameter.name] = sample_value(parameter.shape, parameter.options, catalogue);
    else if (with_defaults && !value.is_discarded() && !value.empty() && value != "")
      object[parameter.name] = value;
  }
  return object;
}

std::string one_line(const Json& value) {
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [key, item] : value.items()) {
    if (!text.empty()) text += ", ";
    if (value.is_object()) text += Json(key).dump() + ": ";
    text += one_line(item);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

/// Whatever fits is written on one line: JSON libraries give every number of a vector its own.
std::string several_lines(const Json& value, size_t indent) {
  const std::string short_text = one_line(value);
  if (!value.is_structured() || (indent > 0 && indent + short_text.size() <= kLineWidth)) return short_text;
  std::string text;
  for (const auto& [key, item] : value.items()) {
    text += (text.empty() ? "\n" : ",\n") + std::string(indent + 2, ' ');
    if (value.is_object()) text += Json(key).dump() + ": ";
    text += several_lines(item, indent + 2);
  }
  text += "\n" + std::string(indent, ' ');
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::string example_text(const TypeDescription& type, const Catalogue& catalogue) {
  const Json example =
      type.example.empty() ? sample_object(type, catalogue, true) : Json::parse(type.example);
  return several_lines(example, 0);
}

}  // namespace heddle
