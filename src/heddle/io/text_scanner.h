#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace heddle {

/// Splits text into lines and words without copying; counts lines from 1.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : rest_(text) {}

  /// Moves to the next line; false at the end of the text.
  bool next_line() {
    if (rest_.empty()) return false;
    const size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    ++number_;
    return true;
  }
  /// The next word of the line; empty at its end.
  std::string_view next_word() {
    skip_blanks();
    size_t size = 0;
    while (size < line_.size() && !is_blank(line_[size])) ++size;
    const std::string_view word = line_.substr(0, size);
    line_.remove_prefix(size);
    return word;
  }
  /// What is left of the line, without blanks around it.
  std::string_view rest_of_line() {
    skip_blanks();
    while (!line_.empty() && is_blank(line_.back())) line_.remove_suffix(1);
    return line_;
  }
  std::string_view rest_of_text() const { return rest_; }
  int line_number() const { return number_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
  void skip_blanks() {
    while (!line_.empty() && is_blank(line_.front())) line_.remove_prefix(1);
  }

  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
};

/// The whole word as a finite number.
template <class Number>
std::optional<Number> parse_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace heddle
