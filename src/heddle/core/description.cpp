#include <heddle/core/describe.h>
#include <heddle/core/description.h>

#include <algorithm>

namespace heddle {

namespace {

std::string numbers_text(const Shape& vector) {
  return std::to_string(vector.size) + (vector.inner.empty() ? " numbers" : " whole numbers");
}

std::string plural_text(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::boolean:
      return "booleans";
    case Shape::Kind::integer:
      return "whole numbers";
    case Shape::Kind::number:
      return "numbers";
    case Shape::Kind::text:
      return "strings";
    case Shape::Kind::path:
      return "file names";
    case Shape::Kind::choice:
      return "words out of " + quoted_list(shape.choices);
    case Shape::Kind::vector:
      return "lists of " + numbers_text(shape);
    case Shape::Kind::object:
    case Shape::Kind::entity:
      return shape.type + " objects";
    default:
      return "values";
  }
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(word, names);
  if (!nearest.empty()) return "did you mean \"" + nearest + "\"?";
  return names.empty() ? "none is allowed here" : "expected " + quoted_list(names);
}

std::vector<std::string> parameter_names(const TypeDescription& type, bool has_type_key) {
  std::vector<std::string> names;
  if (has_type_key) names.emplace_back("type");
  for (const Parameter& parameter : type.parameters) names.push_back(parameter.name);
  return names;
}

}  // namespace

std::string shape_text(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::boolean:
      return "true or false";
    case Shape::Kind::integer:
      return "a whole number";
    case Shape::Kind::number:
      return "a number";
    case Shape::Kind::text:
      return "a string";
    case Shape::Kind::path:
      return "a file name";
    case Shape::Kind::choice:
      return quoted_list(shape.choices);
    case Shape::Kind::vector:
      return "a list of " + numbers_text(shape);
    case Shape::Kind::list:
      return "a list of " + plural_text(shape.inner[0]);
    case Shape::Kind::map:
      return "an object of named " + plural_text(shape.inner[0]);
    case Shape::Kind::object:
      return with_article(shape.type) + " object";
    case Shape::Kind::entity:
      return with_article(shape.type) + " object with a \"type\"";
    case Shape::Kind::any_of:
      break;
  }
  std::string text;
  for (const Shape& alternative : shape.inner) text += (text.empty() ? "" : " or ") + shape_text(alternative);
  return text;
}

double usual_limit(std::string_view unit) {
  // Far beyond any cloth, and near enough that single precision still tells millimetres apart.
  static constexpr std::pair<std::string_view, double> kLimits[] = {{"m", 1e4},   {"m/s", 1e3}, {"m/s2", 1e4},
                                                                    {"deg", 1e6}, {"s", 1e9},   {"1/s", 1e6}};
  const auto* found = std::find_if(std::begin(kLimits), std::end(kLimits),
                                   [&](const auto& limit) { return limit.first == unit; });
  return found == std::end(kLimits) ? std::numeric_limits<double>::infinity() : found->second;
}

ParameterOptions with_usual_limits(ParameterOptions options) {
  const double limit = usual_limit(options.unit);
  if (std::isinf(options.minimum)) options.minimum = -limit;
  if (std::isinf(options.maximum)) options.maximum = limit;
  return options;
}

std::string range_text(const ParameterOptions& options) {
  const bool low = std::isfinite(options.minimum), high = std::isfinite(options.maximum);
  if (!low && !high) return {};
  if (low && options.minimum == -options.maximum && !options.above_minimum)
    return "from " + number_text(options.minimum) + " to " + number_text(options.maximum);
  const std::string above = options.above_minimum ? "above " : "at least ";
  if (low && high)
    return above + number_text(options.minimum) + " and at most " + number_text(options.maximum);
  return low ? above + number_text(options.minimum) : "at most " + number_text(options.maximum);
}

const Parameter* TypeDescription::find(std::string_view parameter) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& candidate) { return candidate.name == parameter; });
  return found == parameters.end() ? nullptr : &*found;
}

void Catalogue::add(const TypeDescription& description) {
  HEDDLE_CHECK(find(description.category, description.name) == nullptr);
  types_.push_back(&description);
}

const TypeDescription* Catalogue::find(std::string_view category, std::string_view name) const {
  for (const TypeDescription* type : types_)
    if (type->category == category && type->name == name) return type;
  return nullptr;
}

std::vector<std::string> Catalogue::categories() const {
  std::vector<std::string> result;
  for (const TypeDescription* type : types_)
    if (std::find(result.begin(), result.end(), type->category) == result.end())
      result.push_back(type->category);
  return result;
}

std::vector<std::string> Catalogue::names(std::string_view category) const {
  std::vector<std::string> result;
  for (const TypeDescription* type : types_)
    if (type->category == category) result.push_back(type->name);
  return result;
}

bool wrong_kind(const Value& value, const std::string& expected, Diagnostics& diagnostics) {
  std::string found = value.kind_name();
  if (value.is_list())
    found = value.list().empty() ? "an empty list" : found + " of " + std::to_string(value.list().size());
  diagnostics.error(value.where, "expected " + expected + ", found " + found);
  return false;
}

bool check_range(double number, const ParameterOptions& options, const SourceLocation& where,
                 Diagnostics& diagnostics) {
  const bool low = options.above_minimum ? number > options.minimum : number >= options.minimum;
  if (low && number <= options.maximum && std::isfinite(number)) return true;
  const std::string unit = options.unit == "1" || options.unit.empty() ? "" : " " + options.unit;
  // No number of a text is infinite: one that is was too large for the computer.
  constexpr double kEnd = 1e308;
  const std::string what = std::isfinite(number)
                               ? number_text(number) + unit
                               : "a number " + std::string(number < 0 ? "below " : "above ") +
                                     number_text(number < 0 ? -kEnd : kEnd);
  ParameterOptions limits = options;
  limits.minimum = std::max(limits.minimum, -kEnd);
  limits.maximum = std::min(limits.maximum, kEnd);
  diagnostics.error(where, what + " is out of range",
                    "expected " + range_text(std::isfinite(number) ? options : limits) + unit);
  return false;
}

bool read_object(const Value& value, const TypeDescription& type, void* object, ReadContext& context,
                 bool has_type_key) {
  if (!value.is_object()) return wrong_kind(value, with_article(type.name) + " object", context.diagnostics);
  const size_t before = context.diagnostics.error_count();
  for (const Value::Member& member : value.object()) {
    if (has_type_key && member.key == "type") continue;
    if (const Parameter* parameter = type.find(member.key)) {
      parameter->read(member.value, object, context);
    } else {
      context.diagnostics.error(member.key_where, "unknown key " + in_quotes(member.key) + " in " + type.name,
                                did_you_mean(member.key, parameter_names(type, has_type_key)));
    }
  }
  for (const Parameter& parameter : type.parameters)
    if (parameter.options.required && !value.find(parameter.name))
      context.diagnostics.error(value.where, type.name + " needs \"" + parameter.name + "\"",
                                "expected " + shape_text(parameter.shape) + ": " + parameter.options.doc);
  const bool good = context.diagnostics.error_count() == before;
  if (good && type.validate) type.validate(object, value.where, context.diagnostics);
  return context.diagnostics.error_count() == before;
}

Entity read_entity(const Value& value, const std::string& category, ReadContext& context) {
  const std::vector<std::string> names = context.catalogue.names(category);
  if (value.is_string())  // a type with all its parameters at their defaults
    return read_entity(Value(Value::Object{{"type", value.where, value}}, value.where), category, context);
  if (!value.is_object()) {
    wrong_kind(value, with_article(category) + " object with a \"type\"", context.diagnostics);
    return {};
  }
  const Value* type_name = value.find("type");
  if (!type_name || !type_name->is_string()) {
    context.diagnostics.error(type_name ? type_name->where : value.where, category + " needs a \"type\"",
                              "expected " + quoted_list(names));
    return {};
  }
  const TypeDescription* type = context.catalogue.find(category, type_name->string());
  if (!type) {
    context.diagnostics.error(type_name->where, "unknown " + category + " " + in_quotes(type_name->string()),
                              did_you_mean(type_name->string(), names));
    return {};
  }
  std::shared_ptr<void> object = type->create();
  read_object(value, *type, object.get(), context, true);
  return Entity(*type, std::move(object), value.where);
}

Shape ValueTraits<std::string>::shape(const ParameterOptions& options) {
  if (!options.choices.empty()) return {.kind = Shape::Kind::choice, .choices = options.choices};
  return {.kind = options.path ? Shape::Kind::path : Shape::Kind::text};
}

bool ValueTraits<std::string>::read(const Value& value, std::string& out, const ParameterOptions& options,
                                    ReadContext& context) {
  if (!value.is_string()) return wrong_kind(value, shape_text(shape(options)), context.diagnostics);
  out = value.string();
  const auto& choices = options.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), out) != choices.end()) return true;
  context.diagnostics.error(value.where, "unknown word " + in_quotes(out), did_you_mean(out, choices));
  return false;
}

}  // namespace heddle
