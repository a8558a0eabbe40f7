#include <heddle/scene/text_cursor.h>

namespace heddle {

namespace {

unsigned byte_at(std::string_view text, size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

/// Length of the valid UTF-8 character at the start of `text`, 0 if there is none.
size_t character_length(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xC0) != 0x80) return 0;
  const unsigned second = byte_at(text, 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || beyond ? 0 : length;
}

bool is_word_character(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '+' || c == '-' || c == '.';
}

}  // namespace

TextCursor::TextCursor(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
}

void TextCursor::advance() {
  if (at_end()) return;
  const char c = text_[position_++];
  const bool line_ends = c == '\n' || (c == '\r' && peek() != '\n');
  if (line_ends) {
    ++line_;
    column_ = 1;
  } else if ((static_cast<unsigned char>(peek()) & 0xC0) != 0x80) {
    ++column_;
  }
}

void TextCursor::advance(size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) advance();
}

std::string_view TextCursor::take_character() {
  const std::string_view rest = text_.substr(position_);
  const size_t length = character_length(rest);
  advance(length == 0 ? 1 : length);
  return rest.substr(0, length);
}

std::string_view TextCursor::take_word() {
  const size_t start = position_;
  while (!at_end() && is_word_character(peek())) advance();
  return text_.substr(start, position_ - start);
}

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

}  // namespace heddle
