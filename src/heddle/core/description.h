#pragma once

#include <heddle/core/value.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <vector>

namespace heddle {

struct TypeDescription;

/// What a parameter's value may look like; feeds the parser, the JSON Schema and the printed description.
struct Shape {
  enum class Kind { boolean, integer, number, text, path, choice, vector, list, map, object, entity, any_of };
  Kind kind = Kind::number;
  int size = 0;                      // vector: how many numbers
  std::vector<std::string> choices;  // choice: the words
  std::string type;                  // object: name of the type; entity: name of the category
  std::vector<Shape> inner;          // list, map, whole vector: the element; any_of: the alternatives
  const TypeDescription* description = nullptr;  // object: its description, if the compiler knows it
};

/// "a number", "a list of 3 numbers", …
std::string shape_text(const Shape& shape);

/// The largest amount that makes sense in a scene for a value of that SI unit; infinity for other units.
double usual_limit(std::string_view unit);

/// Everything about a parameter except its name and place in the struct. A range holds for every number of a
/// list; where it is open on a side, the usual limit of the unit closes it.
struct ParameterOptions {
  std::string unit = "1";  // SI, "1" for a pure number, "" where units make no sense
  std::string doc;         // one sentence
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool above_minimum = false;  // the minimum itself is not allowed
  bool required = false;
  std::vector<std::string> choices;  // text that must be one of these words
  std::string category;              // Entity: which types are allowed
  bool path = false;                 // text that names a file
};

/// "above 0 and at most 10", "from -10 to 10"; empty if every number is allowed.
std::string range_text(const ParameterOptions& options);
/// The options with the usual limits of their unit where they give none.
ParameterOptions with_usual_limits(ParameterOptions options);

class Catalogue;

/// What reading needs besides the value: the known types and a place for messages.
struct ReadContext {
  const Catalogue& catalogue;
  Diagnostics& diagnostics;
};

struct Parameter {
  std::string name;
  ParameterOptions options;
  Shape shape;
  std::string default_text;  // as JSON; empty if required or absent by default
  std::function<void(const Value&, void* object, ReadContext&)> read;
  std::function<std::string(const void* object)> write;  // as JSON
};

/// The one description of a type: parser, schema, `heddle describe` and the reference pages use it.
struct TypeDescription {
  std::string name;
  std::string category;
  std::string summary;
  std::string example;  // JSON; empty: one is made from the parameters
  std::vector<Parameter> parameters;
  std::type_index type = typeid(void);
  std::function<std::shared_ptr<void>()> create;
  /// Checks that involve several parameters; may be empty.
  std::function<void(const void* object, const SourceLocation&, Diagnostics&)> validate;

  const Parameter* find(std::string_view parameter) const;
};

/// An object of some described type, as the scene names it: {"type": "sphere", …}.
class Entity {
 public:
  Entity() = default;
  Entity(const TypeDescription& description, std::shared_ptr<const void> object, SourceLocation location)
      : where(std::move(location)), description_(&description), object_(std::move(object)) {}

  explicit operator bool() const { return description_ != nullptr; }
  const TypeDescription& description() const { return *description_; }
  const std::string& type() const { return description_->name; }
  template <class T>
  bool is() const {
    return description_ && description_->type == typeid(T);
  }
  template <class T>
  const T& as() const {
    HEDDLE_CHECK(is<T>());
    return *static_cast<const T*>(object_.get());
  }

  SourceLocation where;

 private:
  const TypeDescription* description_ = nullptr;
  std::shared_ptr<const void> object_;
};

/// All types a scene may name, by category.
class Catalogue {
 public:
  void add(const TypeDescription& description);
  /// Null if there is no such type.
  const TypeDescription* find(std::string_view category, std::string_view name) const;
  std::vector<std::string> categories() const;
  std::vector<std::string> names(std::string_view category) const;
  const std::vector<const TypeDescription*>& types() const { return types_; }

 private:
  std::vector<const TypeDescription*> types_;
};

/// Reads the members of a JSON object into `object`, reporting all that is wrong; true if nothing was.
bool read_object(const Value& value, const TypeDescription& type, void* object, ReadContext& context,
                 bool has_type_key = false);
/// Reads {"type": NAME, …}; empty if NAME is not in the category.
Entity read_entity(const Value& value, const std::string& category, ReadContext& context);
/// Reports numbers outside of the parameter's range.
bool check_range(double number, const ParameterOptions& options, const SourceLocation& where,
                 Diagnostics& diagnostics);
/// Reports "expected …, found …" and returns false.
bool wrong_kind(const Value& value, const std::string& expected, Diagnostics& diagnostics);

}  // namespace heddle
