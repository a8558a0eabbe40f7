#pragma once

#include <heddle/core/result.h>

#include <string>
#include <string_view>

namespace heddle {

/// Walks over UTF-8 text and knows its place; columns count characters from 1, a tab is one.
class TextCursor {
 public:
  TextCursor(std::string_view text, std::string file);

  bool at_end() const { return position_ >= text_.size(); }
  /// The byte `ahead` of the cursor, 0 beyond the end.
  char peek(size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  bool starts_with(std::string_view token) const { return text_.substr(position_).starts_with(token); }
  SourceLocation where() const { return {file_, line_, column_}; }

  /// Moves over one byte; only the first byte of a character counts for the column.
  void advance();
  void advance(size_t bytes);
  /// Moves over one character and returns it; an empty view if its bytes are not valid UTF-8 (one byte is
  /// skipped).
  std::string_view take_character();
  /// Moves over the longest run of letters, digits, "_", "$", "+", "-" and "." and returns it.
  std::string_view take_word();
  void go_to_end() { position_ = text_.size(); }

 private:
  std::string_view text_;
  std::string file_;
  size_t position_ = 0;
  int line_ = 1;
  int column_ = 1;
};

/// Appends the UTF-8 bytes of a Unicode character.
void append_utf8(std::string& out, unsigned code);

}  // namespace heddle
