#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace heddle {

/// Thrown when a HEDDLE_CHECK fails: a mistake of the programmer, never of the user.
class CheckFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {

template <class A, class B>
[[noreturn]] void check_failed(const char* file, int line, const char* text, const A& a, const B& b) {
  std::ostringstream out;
  out << file << ':' << line << ": check failed: " << text << " (" << a << " against " << b << ")";
  throw CheckFailure(out.str());
}

[[noreturn]] inline void check_failed(const char* file, int line, const char* text) {
  throw CheckFailure(std::string(file) + ':' + std::to_string(line) + ": check failed: " + text);
}

}  // namespace detail
}  // namespace heddle

#define HEDDLE_CHECK(condition)                                                       \
  do {                                                                                \
    if (!(condition)) ::heddle::detail::check_failed(__FILE__, __LINE__, #condition); \
  } while (false)

#define HEDDLE_CHECK_OP(a, op, b)                                                                 \
  do {                                                                                            \
    if (!((a)op(b))) ::heddle::detail::check_failed(__FILE__, __LINE__, #a " " #op " " #b, a, b); \
  } while (false)

#define HEDDLE_CHECK_EQ(a, b) HEDDLE_CHECK_OP(a, ==, b)
#define HEDDLE_CHECK_LT(a, b) HEDDLE_CHECK_OP(a, <, b)
#define HEDDLE_CHECK_LE(a, b) HEDDLE_CHECK_OP(a, <=, b)
#define HEDDLE_CHECK_GT(a, b) HEDDLE_CHECK_OP(a, >, b)
