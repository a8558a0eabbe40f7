#pragma once

#include <heddle/core/result.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heddle {

/// A piece of a scene text: null, boolean, number, string, list or object, and where it was written.
class Value {
 public:
  struct Member;
  using List = std::vector<Value>;
  using Object = std::vector<Member>;  // in the order of the text
  using Content = std::variant<std::monostate, bool, double, std::string, List, Object>;

  Value();
  Value(Content content, SourceLocation location);
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  bool is_null() const { return std::holds_alternative<std::monostate>(content_); }
  bool is_bool() const { return std::holds_alternative<bool>(content_); }
  bool is_number() const { return std::holds_alternative<double>(content_); }
  bool is_string() const { return std::holds_alternative<std::string>(content_); }
  bool is_list() const { return std::holds_alternative<List>(content_); }
  bool is_object() const { return std::holds_alternative<Object>(content_); }

  bool boolean() const { return std::get<bool>(content_); }
  double number() const { return std::get<double>(content_); }
  const std::string& string() const { return std::get<std::string>(content_); }
  const List& list() const { return std::get<List>(content_); }
  const Object& object() const { return std::get<Object>(content_); }
  List& list() { return std::get<List>(content_); }
  Object& object() { return std::get<Object>(content_); }

  /// The member of that name, or null; only for objects.
  const Value* find(std::string_view key) const;
  /// "a number", "a list", …: for messages.
  std::string kind_name() const;

  SourceLocation where;

 private:
  Content content_;
};

struct Value::Member {
  std::string key;
  SourceLocation key_where;
  Value value;
};

// Defined here because they need the complete Member.
inline Value::Value() = default;
inline Value::Value(Content content, SourceLocation location)
    : where(std::move(location)), content_(std::move(content)) {}
inline Value::Value(const Value&) = default;
inline Value::Value(Value&&) noexcept = default;
inline Value& Value::operator=(const Value&) = default;
inline Value& Value::operator=(Value&&) noexcept = default;
inline Value::~Value() = default;

}  // namespace heddle
