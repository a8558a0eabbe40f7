#include <heddle/study/method.h>

#include <heddle/core/text.h>
#include <heddle/scene/json_text.h>

#include <algorithm>

namespace heddle {

namespace {

constexpr double kTightTolerance = 1e-10;
constexpr double kManyIterations = 10000;

bool has_member(const Value& value, const std::string& key) {
  return value.find(key) != nullptr;
}

void set_member(Value& value, const std::string& key, double number) {
  for (Value::Member& member : value.object())
    if (member.key == key) {
      member.value = Value(number, value.where);
      return;
    }
  value.object().push_back({key, value.where, Value(number, value.where)});
}

/// Sets a parameter that the text does not mention, if the type has it; within its range.
void tighten(const TypeDescription& type, const std::string& key, double number, Value& value) {
  const Parameter* parameter = type.find(key);
  if (!parameter || has_member(value, key)) return;
  set_member(value, key, std::clamp(number, parameter->options.minimum, parameter->options.maximum));
}

Value with_exact_solver(Value value, const Catalogue& catalogue) {
  const Value* type_name = value.is_object() ? value.find("type") : nullptr;
  if (!type_name || !type_name->is_string()) return value;
  const TypeDescription* type = catalogue.find("integrator", type_name->string());
  if (!type) return value;
  tighten(*type, "tolerance", kTightTolerance, value);
  tighten(*type, "max_iterations", kManyIterations, value);
  return value;
}

Result<Method> method_of(const std::string& name, const Value& value, const Catalogue& catalogue) {
  Diagnostics errors;
  ReadContext context{catalogue, errors};
  Value exact = with_exact_solver(value, catalogue);
  Entity entity = read_entity(exact, "integrator", context);
  if (errors.has_errors()) return errors;
  return Method{name, std::move(exact), std::move(entity)};
}

}  // namespace

std::unique_ptr<Integrator> Method::build() const {
  return integrator_entry(entity).build(entity);
}

Result<Method> find_method(const std::string& text, const Catalogue& catalogue) {
  if (text.starts_with("{")) {
    const Result<Value> value = parse_json_text(text, "method");
    if (!value) return value.errors();
    return method_of(text, *value, catalogue);
  }
  if (catalogue.find("integrator", text))
    return method_of(text, parse_json_text("{\"type\": \"" + text + "\"}", text).value(), catalogue);
  Diagnostics errors;
  const std::vector<std::string> known = catalogue.names("integrator");
  const std::string nearest = nearest_name(text, known);
  errors.error(
      {}, "there is no integrator " + in_quotes(text),
      nearest.empty() ? "use one of " + quoted_list(known) : "did you mean " + in_quotes(nearest) + "?");
  return errors;
}

std::vector<Method> all_methods(const Catalogue& catalogue) {
  std::vector<Method> methods;
  for (const IntegratorEntry& entry : integrator_registry())
    methods.push_back(find_method(entry.type->name, catalogue).value());
  return methods;
}

Method with_step(const Method& method, double step, const Catalogue& catalogue) {
  Value value = method.text;
  set_member(value, "time_step", step);
  return method_of(method.name, value, catalogue).value();
}

}  // namespace heddle
