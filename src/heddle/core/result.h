#pragma once

#include <heddle/core/check.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle {

/// A place in a user's file; line and column count from 1, 0 means unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
};

enum class Severity { warning, error };

/// One message to the user: where, what is wrong, and what to do about it.
struct Diagnostic {
  Severity severity = Severity::error;
  SourceLocation where;
  std::string message;
  std::string remedy;
  bool disk_failed = false;  // a full disk or the like: nothing in the input is wrong
};

/// "file:line:column: error: message; remedy", leaving out the parts that are unknown.
std::string to_string(const Diagnostic& diagnostic);
std::string to_string(const SourceLocation& where);

/// Collects every message before anything stops, so that the user sees all errors at once.
class Diagnostics {
 public:
  void error(SourceLocation where, std::string message, std::string remedy = {});
  void warning(SourceLocation where, std::string message, std::string remedy = {});
  void append(const Diagnostic& item);
  void append(const Diagnostics& other);
  bool has_errors() const { return error_count_ > 0; }
  bool has_disk_failure() const;
  size_t error_count() const { return error_count_; }
  bool empty() const { return items_.empty(); }
  const std::vector<Diagnostic>& items() const { return items_; }
  /// All messages, one a line.
  std::string text() const;
  /// Orders by line and column within each file; files keep the order of `files`, others follow.
  void sort_by_place(const std::vector<std::string>& files = {});

 private:
  std::vector<Diagnostic> items_;
  size_t error_count_ = 0;
};

/// Builds Diagnostics that hold a single error, for `return failure(where, "…")`.
Diagnostics failure(SourceLocation where, std::string message, std::string remedy = {});
/// The same for a disk that has no room or does not work.
Diagnostics disk_failure(SourceLocation where, std::string message, std::string remedy);

/// A value, or the reasons why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}                       // NOLINT: implicit on purpose
  Result(Diagnostics diagnostics) : content_(std::move(diagnostics)) {  // NOLINT: implicit on purpose
    HEDDLE_CHECK(errors().has_errors());
  }
  explicit operator bool() const { return ok(); }
  bool ok() const { return std::holds_alternative<T>(content_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& value() {
    HEDDLE_CHECK(ok());
    return std::get<T>(content_);
  }
  const T& value() const {
    HEDDLE_CHECK(ok());
    return std::get<T>(content_);
  }
  const Diagnostics& errors() const { return std::get<Diagnostics>(content_); }

 private:
  std::variant<T, Diagnostics> content_;
};

/// The Result of an action that returns nothing.
struct Done {};
using Status = Result<Done>;

}  // namespace heddle
