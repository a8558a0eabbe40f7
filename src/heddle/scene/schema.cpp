#include <heddle/scene/scene_description.h>
#include <heddle/scene/schema.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

class SchemaWriter {
 public:
  explicit SchemaWriter(const Catalogue& catalogue) : catalogue_(catalogue) {}

  Json write() {
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Heddle scene"}};
    schema.update(object_schema(description_of<SceneDescription>(), false));
    schema["definitions"] = definitions_;
    return schema;
  }

 private:
  Json object_schema(const TypeDescription& type, bool has_type_key) {
    Json properties = Json::object(), required = Json::array();
    if (has_type_key) {
      properties["type"] = {{"const", type.name}, {"description", type.summary}};
      required.push_back("type");
    }
    for (const Parameter& parameter : type.parameters) {
      properties[parameter.name] = parameter_schema(parameter);
      if (parameter.options.required) required.push_back(parameter.name);
    }
    Json schema{{"type", "object"}, {"description", type.summary}, {"properties", properties}};
    if (!required.empty()) schema["required"] = required;
    schema["additionalProperties"] = false;
    return schema;
  }

  Json parameter_schema(const Parameter& parameter) {
    Json schema = shape_schema(parameter.shape, parameter.options);
    // Draft 7 ignores what stands beside "$ref".
    if (schema.contains("$ref")) schema = Json{{"allOf", {schema}}};
    const std::string& unit = parameter.options.unit;
    schema["description"] = parameter.options.doc + (unit.empty() || unit == "1" ? "" : " In " + unit + ".");
    const Json value = Json::parse(parameter.default_text, nullptr, false);
    if (!value.is_discarded()) schema["default"] = value;
    return schema;
  }

  Json number_schema(const char* type, const ParameterOptions& options) {
    Json schema{{"type", type}};
    if (std::isfinite(options.minimum))
      schema[options.above_minimum ? "exclusiveMinimum" : "minimum"] = options.minimum;
    if (std::isfinite(options.maximum)) schema["maximum"] = options.maximum;
    return schema;
  }

  Json shape_schema(const Shape& shape, const ParameterOptions& options) {
    switch (shape.kind) {
      case Shape::Kind::boolean:
        return {{"type", "boolean"}};
      case Shape::Kind::integer:
        return number_schema("integer", options);
      case Shape::Kind::number:
        return number_schema("number", options);
      case Shape::Kind::text:
      case Shape::Kind::path:
        return {{"type", "string"}};
      case Shape::Kind::choice:
        return {{"type", "string"}, {"enum", shape.choices}};
      case Shape::Kind::vector:
        return {{"type", "array"},
                {"items", number_schema(shape.inner.empty() ? "number" : "integer", options)},
                {"minItems", shape.size},
                {"maxItems", shape.size}};
      case Shape::Kind::list:
        return {{"type", "array"}, {"items", shape_schema(shape.inner[0], options)}};
      case Shape::Kind::map:
        return {{"type", "object"}, {"additionalProperties", shape_schema(shape.inner[0], options)}};
      case Shape::Kind::object:
        return object_reference(shape);
      case Shape::Kind::entity:
        return category_reference(shape.type);
      case Shape::Kind::any_of:
        return alternatives(shape, options);
    }
    return true;
  }

  Json alternatives(const Shape& shape, const ParameterOptions& options) {
    Json list = Json::array();
    for (const Shape& inner : shape.inner)
      list.push_back(inner.type == "key_frames" ? key_frames_schema(shape.inner[0], options)
                                                : shape_schema(inner, options));
    return {{"anyOf", list}};
  }

  Json key_frames_schema(const Shape& value, const ParameterOptions& options) {
    Json schema = object_schema(description_of<KeyFrames<double>>(), false);
    Json& properties = schema["properties"];
    properties["values"]["items"] = shape_schema(value, options);
    for (const char* list : {"times", "values"}) properties[list]["minItems"] = 1;
    return schema;
  }

  static Json reference_to(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }

  Json object_reference(const Shape& shape) {
    const TypeDescription* type = shape.description;
    const TypeDescription* raw = type ? nullptr : find_raw_type(catalogue_, shape.type);
    if (!type && !raw) return {{"type", "object"}};
    if (!definitions_.contains(shape.type))
      definitions_[shape.type] = object_schema(type ? *type : raw_object_description(*raw), false);
    return reference_to(shape.type);
  }

  Json category_reference(const std::string& category) {
    const std::string name = "any_" + category;
    if (definitions_.contains(name)) return reference_to(name);
    const std::vector<std::string> names = catalogue_.names(category);
    definitions_[name] = {
        {"type", "object"}, {"required", {"type"}}, {"properties", {{"type", {{"enum", names}}}}}};
    Json choices = Json::array();
    for (const std::string& type : names) {
      const std::string full_name = category + "." + type;
      definitions_[full_name] = object_schema(*catalogue_.find(category, type), true);
      choices.push_back(reference_to(full_name));
    }
    // An empty "enum" or "oneOf" is not allowed: without types nothing is valid.
    if (names.empty()) definitions_[name] = false;
    if (names.empty()) return reference_to(name);
    definitions_[name]["oneOf"] = choices;
    if (const Json alone = names_alone(category); !alone.empty())
      definitions_[name] = {{"anyOf", {{{"enum", alone}}, definitions_[name]}}};
    return reference_to(name);
  }

  /// Types that can be named without an object, because none of their parameters is required.
  Json names_alone(const std::string& category) const {
    Json names = Json::array();
    for (const std::string& name : catalogue_.names(category)) {
      const auto& parameters = catalogue_.find(category, name)->parameters;
      if (std::none_of(parameters.begin(), parameters.end(),
                       [](const Parameter& parameter) { return parameter.options.required; }))
        names.push_back(name);
    }
    return names;
  }

  const Catalogue& catalogue_;
  Json definitions_ = Json::object();
};

}  // namespace

std::string json_schema(const Catalogue& catalogue) {
  return SchemaWriter(catalogue).write().dump(2) + "\n";
}

}  // namespace heddle
