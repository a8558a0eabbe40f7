#pragma once

#include <heddle/core/description.h>
#include <heddle/core/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <optional>

namespace heddle {

/// How a C++ type is read from and written as scene text. Specialise it to make a type usable as a
/// parameter:
///   static Shape shape(const ParameterOptions&);
///   static bool read(const Value&, T&, const ParameterOptions&, ReadContext&);
///   static std::string write(const T&);
template <class T>
struct ValueTraits;

template <class T>
const TypeDescription& description_of();

/// Collects the description of T; passed to `static void T::describe(Describer<T>&)`.
template <class T>
class Describer {
 public:
  explicit Describer(TypeDescription& out) : out_(out) {}

  void type(std::string name, std::string category, std::string summary) {
    out_.name = std::move(name);
    out_.category = std::move(category);
    out_.summary = std::move(summary);
  }

  /// A JSON text that shows the type at work, where one made from the defaults would say little.
  void example(std::string json) { out_.example = std::move(json); }

  template <class Field, class Owner>
  requires std::derived_from<T, Owner>
  void parameter(std::string name, Field Owner::*field, ParameterOptions options) {
    options = with_usual_limits(std::move(options));
    Parameter parameter;
    parameter.name = std::move(name);
    parameter.shape = ValueTraits<Field>::shape(options);
    if (!options.required) parameter.default_text = ValueTraits<Field>::write(T{}.*field);
    parameter.read = [field, options](const Value& value, void* object, ReadContext& context) {
      ValueTraits<Field>::read(value, static_cast<T*>(object)->*field, options, context);
    };
    parameter.write = [field](const void* object) {
      return ValueTraits<Field>::write(static_cast<const T*>(object)->*field);
    };
    parameter.options = std::move(options);
    out_.parameters.push_back(std::move(parameter));
  }

  /// All parameters of a member that describes itself, as if they were those of T.
  template <class Part>
  void include(Part T::*part) {
    const T defaults{};
    for (Parameter parameter : description_of<Part>().parameters) {
      if (!parameter.options.required) parameter.default_text = parameter.write(&(defaults.*part));
      parameter.read = [part, read = parameter.read](const Value& value, void* object, ReadContext& context) {
        read(value, &(static_cast<T*>(object)->*part), context);
      };
      parameter.write = [part, write = parameter.write](const void* object) {
        return write(&(static_cast<const T*>(object)->*part));
      };
      out_.parameters.push_back(std::move(parameter));
    }
  }

  /// `check(object, where, diagnostics)` runs after all parameters were read.
  template <class Check>
  void validate(Check check) {
    out_.validate = [check](const void* object, const SourceLocation& where, Diagnostics& diagnostics) {
      check(*static_cast<const T*>(object), where, diagnostics);
    };
  }

 private:
  TypeDescription& out_;
};

/// A type that describes itself; its member `SourceLocation where`, if it has one, is set when it is read.
template <class T>
concept Described = requires(Describer<T>& describer) {
  T::describe(describer);
};

template <class T>
const TypeDescription& description_of() {
  static const TypeDescription description = [] {
    TypeDescription built;
    built.type = typeid(T);
    built.create = [] { return std::make_shared<T>(); };
    Describer<T> describer(built);
    T::describe(describer);
    return built;
  }();
  return description;
}

template <>
struct ValueTraits<bool> {
  static Shape shape(const ParameterOptions&) { return {.kind = Shape::Kind::boolean}; }
  static bool read(const Value& value, bool& out, const ParameterOptions&, ReadContext& context) {
    if (!value.is_bool()) return wrong_kind(value, "true or false", context.diagnostics);
    out = value.boolean();
    return true;
  }
  static std::string write(bool value) { return value ? "true" : "false"; }
};

template <>
struct ValueTraits<double> {
  static Shape shape(const ParameterOptions&) { return {.kind = Shape::Kind::number}; }
  static bool read(const Value& value, double& out, const ParameterOptions& options, ReadContext& context) {
    if (!value.is_number()) return wrong_kind(value, "a number", context.diagnostics);
    out = value.number();
    return check_range(out, options, value.where, context.diagnostics);
  }
  static std::string write(double value) { return number_text(value); }
};

template <>
struct ValueTraits<int> {
  static Shape shape(const ParameterOptions&) { return {.kind = Shape::Kind::integer}; }
  static bool read(const Value& value, int& out, const ParameterOptions& options, ReadContext& context) {
    const bool whole = value.is_number() && value.number() == std::floor(value.number());
    if (value.is_number() && !whole) {
      context.diagnostics.error(value.where, "expected a whole number, found " + number_text(value.number()));
      return false;
    }
    if (!whole) return wrong_kind(value, "a whole number", context.diagnostics);
    constexpr double kLargest = std::numeric_limits<int>::max();
    if (std::abs(value.number()) > kLargest) {
      ParameterOptions limits = options;
      limits.minimum = std::max(limits.minimum, -kLargest);
      limits.maximum = std::min(limits.maximum, kLargest);
      return check_range(value.number(), limits, value.where, context.diagnostics);
    }
    out = static_cast<int>(value.number());
    return check_range(out, options, value.where, context.diagnostics);
  }
  static std::string write(int value) { return std::to_string(value); }
};

template <>
struct ValueTraits<std::string> {
  static Shape shape(const ParameterOptions& options);
  static bool read(const Value& value, std::string& out, const ParameterOptions& options,
                   ReadContext& context);
  static std::string write(const std::string& value) { return '"' + value + '"'; }
};

/// N numbers in a list.
template <size_t N>
struct ValueTraits<std::array<double, N>> {
  static Shape shape(const ParameterOptions&) {
    return {.kind = Shape::Kind::vector, .size = static_cast<int>(N)};
  }
  static bool read(const Value& value, std::array<double, N>& out, const ParameterOptions& options,
                   ReadContext& context) {
    if (!value.is_list() || value.list().size() != N)
      return wrong_kind(value, shape_text(shape(options)), context.diagnostics);
    bool good = true;
    for (size_t i = 0; i < N; ++i)
      good &= ValueTraits<double>::read(value.list()[i], out[i], options, context);
    return good;
  }
  static std::string write(const std::array<double, N>& value) {
    std::string text = "[";
    for (size_t i = 0; i < N; ++i) text += (i ? ", " : "") + number_text(value[i]);
    return text + "]";
  }
};

/// N whole numbers in a list.
template <size_t N>
struct ValueTraits<std::array<int, N>> {
  static Shape shape(const ParameterOptions&) {
    return {
        .kind = Shape::Kind::vector, .size = static_cast<int>(N), .inner = {{.kind = Shape::Kind::integer}}};
  }
  static bool read(const Value& value, std::array<int, N>& out, const ParameterOptions& options,
                   ReadContext& context) {
    if (!value.is_list() || value.list().size() != N)
      return wrong_kind(value, shape_text(shape(options)), context.diagnostics);
    bool good = true;
    for (size_t i = 0; i < N; ++i) good &= ValueTraits<int>::read(value.list()[i], out[i], options, context);
    return good;
  }
  static std::string write(const std::array<int, N>& value) {
    std::string text = "[";
    for (size_t i = 0; i < N; ++i) text += (i ? ", " : "") + std::to_string(value[i]);
    return text + "]";
  }
};

template <class T>
struct ValueTraits<std::optional<T>> {
  static Shape shape(const ParameterOptions& options) { return ValueTraits<T>::shape(options); }
  static bool read(const Value& value, std::optional<T>& out, const ParameterOptions& options,
                   ReadContext& context) {
    T content{};
    const bool good = ValueTraits<T>::read(value, content, options, context);
    if (good) out = std::move(content);
    return good;
  }
  static std::string write(const std::optional<T>& value) {
    return value ? ValueTraits<T>::write(*value) : std::string();
  }
};

template <class T>
struct ValueTraits<std::vector<T>> {
  static Shape shape(const ParameterOptions& options) {
    return {.kind = Shape::Kind::list, .inner = {ValueTraits<T>::shape(options)}};
  }
  static bool read(const Value& value, std::vector<T>& out, const ParameterOptions& options,
                   ReadContext& context) {
    if (!value.is_list()) return wrong_kind(value, shape_text(shape(options)), context.diagnostics);
    out.clear();
    bool good = true;
    for (const Value& item : value.list()) {
      out.emplace_back();
      good &= ValueTraits<T>::read(item, out.back(), options, context);
    }
    return good;
  }
  static std::string write(const std::vector<T>& value) {
    std::string text = "[";
    for (size_t i = 0; i < value.size(); ++i) text += (i ? ", " : "") + ValueTraits<T>::write(value[i]);
    return text + "]";
  }
};

template <class T>
struct ValueTraits<std::map<std::string, T>> {
  static Shape shape(const ParameterOptions& options) {
    return {.kind = Shape::Kind::map, .inner = {ValueTraits<T>::shape(options)}};
  }
  static bool read(const Value& value, std::map<std::string, T>& out, const ParameterOptions& options,
                   ReadContext& context) {
    if (!value.is_object()) return wrong_kind(value, shape_text(shape(options)), context.diagnostics);
    bool good = true;
    for (const Value::Member& member : value.object())
      good &= ValueTraits<T>::read(member.value, out[member.key], options, context);
    return good;
  }
  static std::string write(const std::map<std::string, T>&) { return "{}"; }
};

template <>
struct ValueTraits<Entity> {
  static Shape shape(const ParameterOptions& options) {
    return {.kind = Shape::Kind::entity, .type = options.category};
  }
  static bool read(const Value& value, Entity& out, const ParameterOptions& options, ReadContext& context) {
    out = read_entity(value, options.category, context);
    return static_cast<bool>(out);
  }
  static std::string write(const Entity&) { return {}; }
};

template <Described T>
struct ValueTraits<T> {
  static Shape shape(const ParameterOptions&) {
    const TypeDescription& type = description_of<T>();
    return {.kind = Shape::Kind::object, .type = type.name, .description = &type};
  }
  static bool read(const Value& value, T& out, const ParameterOptions&, ReadContext& context) {
    if constexpr (requires { out.where = value.where; }) out.where = value.where;
    return read_object(value, description_of<T>(), &out, context);
  }
  static std::string write(const T&) { return "{}"; }
};

}  // namespace heddle
