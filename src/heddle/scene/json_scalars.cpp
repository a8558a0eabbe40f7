#include <heddle/core/text.h>
#include <heddle/scene/json_scalars.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace heddle {

namespace {

/// Keeps one message for a string: binary data would give thousands.
struct FirstError {
  std::optional<Diagnostic> first;
  void error(const SourceLocation& where, const std::string& message, const std::string& remedy = {}) {
    if (!first) first = Diagnostic{Severity::error, where, message, remedy};
  }
};

/// Four hexadecimal digits, or nothing and the cursor stays.
std::optional<unsigned> take_hex4(TextCursor& cursor) {
  unsigned code = 0;
  for (size_t i = 0; i < 4; ++i) {
    const char c = cursor.peek(i);
    unsigned digit = 0;
    if (std::from_chars(&c, &c + 1, digit, 16).ec != std::errc()) return std::nullopt;
    code = code * 16 + digit;
  }
  cursor.advance(4);
  return code;
}

/// The rest of an escape after "\u"; characters beyond 0xFFFF are written as a pair of escapes.
void take_unicode_escape(TextCursor& cursor, const SourceLocation& where, std::string& out,
                         FirstError& problem) {
  const std::optional<unsigned> first = take_hex4(cursor);
  if (!first) {
    problem.error(where, "\"\\u\" needs four hexadecimal digits", "as in \\u00e9");
    return;
  }
  const bool high = *first >= 0xD800 && *first < 0xDC00, low = *first >= 0xDC00 && *first < 0xE000;
  std::optional<unsigned> second;
  if (high && cursor.starts_with("\\u")) {
    cursor.advance(2);
    second = take_hex4(cursor);
  }
  const bool paired = high && second && *second >= 0xDC00 && *second < 0xE000;
  if (*first == 0)
    problem.error(where, "\"\\u0000\" is not allowed in a string");
  else if (low || (high && !paired))
    problem.error(where, "half of a surrogate pair", "write the character itself, the file is UTF-8");
  else
    append_utf8(out, paired ? 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00) : *first);
}

void take_escape(TextCursor& cursor, std::string& out, FirstError& problem) {
  static constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const SourceLocation where = cursor.where();
  cursor.advance();
  const size_t known = cursor.at_end() ? std::string_view::npos : kNames.find(cursor.peek());
  if (known != std::string_view::npos) {
    out += kMeanings[known];
    cursor.advance();
  } else if (cursor.peek() == 'u') {
    cursor.advance();
    take_unicode_escape(cursor, where, out, problem);
  } else {
    problem.error(where, "unknown escape in a string", "write \\\\ for a backslash, or use / in file names");
  }
}

bool ends_line(const TextCursor& cursor) {
  return cursor.at_end() || cursor.peek() == '\n' || cursor.peek() == '\r';
}

std::string_view without_sign(std::string_view word) {
  return word.substr(word.starts_with('-') || word.starts_with('+') ? 1 : 0);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool begins_number(std::string_view word) {
  const std::string_view digits = without_sign(word);
  const bool point = digits.size() > 1 && digits[0] == '.' && is_digit(digits[1]);
  return !digits.empty() && (is_digit(digits[0]) || point);
}

/// What is wrong with the way a number is written; empty if nothing is.
std::string number_problem(std::string_view word) {
  const std::string_view digits = without_sign(word);
  if (word[0] == '+') return "numbers do not begin with \"+\"";
  if (digits[0] == '.') return "numbers do not begin with a point";
  if (digits.starts_with("0x") || digits.starts_with("0X")) return "hexadecimal numbers are not allowed";
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]))
    return "numbers do not begin with a needless 0";
  const size_t point = digits.find('.');
  if (point != std::string_view::npos && (point + 1 == digits.size() || !is_digit(digits[point + 1])))
    return "a digit must follow the point of a number";
  return {};
}

/// For numbers that no double is near to: infinity, which every reader refuses with the range it expects, or
/// zero for those that are too small.
double rounded_to_range(std::string_view word) {
  const std::string_view digits = without_sign(word);
  const size_t exponent = digits.find_first_of("eE");
  const bool is_small =
      exponent == std::string_view::npos ? digits.starts_with("0.") : digits[exponent + 1] == '-';
  if (is_small) return 0;
  return (word[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
}

Value read_number(std::string_view word, const SourceLocation& where, Diagnostics& diagnostics) {
  const std::string problem = number_problem(word);
  if (!problem.empty()) {
    diagnostics.error(where, problem, "found " + in_quotes(word));
    return Value(0.0, where);
  }
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_whole_word = end == word.data() + word.size();
  if (is_whole_word && error == std::errc::result_out_of_range) return Value(rounded_to_range(word), where);
  if (error != std::errc() || !is_whole_word)
    diagnostics.error(where, in_quotes(word) + " is not a number", "numbers look like 12, -0.5 or 1e-3");
  return Value(number, where);
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

void report_unknown_word(std::string_view word, const SourceLocation& where, Diagnostics& diagnostics) {
  const std::string lower = lower_case(without_sign(word));
  if (lower == "nan" || lower == "inf" || lower == "infinity")
    diagnostics.error(where, in_quotes(word) + " is not allowed", "every number must be finite");
  else if (lower == "true" || lower == "false" || lower == "null" || lower == "none")
    diagnostics.error(where, "unexpected " + in_quotes(word),
                      "did you mean " + (lower == "none" ? "null" : lower) + " (in lower case)?");
  else
    diagnostics.error(where, "unexpected " + in_quotes(word), "texts need double quotes");
}

}  // namespace

std::string read_json_string(TextCursor& cursor, Diagnostics& diagnostics) {
  FirstError problem;
  const SourceLocation begin = cursor.where();
  const char quote = cursor.peek();
  if (quote == '\'') problem.error(begin, "texts need double quotes", "found a single quote");
  cursor.advance();
  std::string text;
  while (!ends_line(cursor) && cursor.peek() != quote) {
    const SourceLocation where = cursor.where();
    if (cursor.peek() == '\\') {
      take_escape(cursor, text, problem);
      continue;
    }
    const std::string_view character = cursor.take_character();
    if (character.empty())
      problem.error(where, "this is not UTF-8 text", "save the file as UTF-8");
    else if (static_cast<unsigned char>(character[0]) < 0x20 && character[0] != '\t')
      problem.error(where, "control character in a string", "write it as an escape such as \\n");
    text += character;
  }
  if (ends_line(cursor))
    problem.error(begin, "this string does not end on its line", std::string("add the closing ") + quote);
  else
    cursor.advance();
  if (problem.first) diagnostics.error(problem.first->where, problem.first->message, problem.first->remedy);
  return text;
}

Value read_json_word(TextCursor& cursor, Diagnostics& diagnostics) {
  const SourceLocation where = cursor.where();
  const std::string_view word = cursor.take_word();
  if (word == "true" || word == "false") return Value(word == "true", where);
  if (word == "null") return Value(std::monostate(), where);
  if (begins_number(word)) return read_number(word, where, diagnostics);
  report_unknown_word(word, where, diagnostics);
  return Value(std::monostate(), where);
}

}  // namespace heddle
