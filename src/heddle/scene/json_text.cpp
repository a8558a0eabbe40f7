#include <heddle/core/text.h>
#include <heddle/scene/json_scalars.h>
#include <heddle/scene/json_text.h>

#include <map>

namespace heddle {

namespace {

constexpr size_t kMaximumErrors = 20;

// Written by hand because JSON libraries do not tell the line and column of every value.
class JsonParser {
 public:
  JsonParser(std::string_view text, const std::string& file) : cursor_(text, file) {}

  Result<Value> parse() {
    Value value = read_top();
    skip_space();
    if (!cursor_.at_end()) diagnostics_.error(cursor_.where(), "unexpected text after the end of the scene");
    if (diagnostics_.has_errors()) return diagnostics_;
    return value;
  }

 private:
  struct Bracket {
    char opening;
    char closing;
    SourceLocation where;
  };

  Value read_top() {
    skip_space();
    const SourceLocation where = cursor_.where();
    if (begins_value()) return read_value();
    if (cursor_.at_end())
      complain(where, "the scene is empty", "expected an object in { }");
    else
      report_unexpected("an object in { }");
    give_up();
    return Value(std::monostate(), where);
  }

  void complain(const SourceLocation& where, std::string message, std::string remedy = {}) {
    if (given_up_) return;
    diagnostics_.error(where, std::move(message), std::move(remedy));
  }

  void give_up() {
    given_up_ = true;
    cursor_.go_to_end();
  }

  void skip_space() {
    while (!cursor_.at_end()) {
      const char c = cursor_.peek();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        cursor_.advance();
      else if (cursor_.starts_with("//"))
        skip_line();
      else if (cursor_.starts_with("/*"))
        skip_block_comment();
      else
        return;
    }
  }

  void skip_line() {
    while (!cursor_.at_end() && cursor_.peek() != '\n' && cursor_.peek() != '\r') cursor_.advance();
  }

  void skip_block_comment() {
    const SourceLocation begin = cursor_.where();
    cursor_.advance(2);
    while (!cursor_.at_end() && !cursor_.starts_with("*/")) cursor_.advance();
    if (!cursor_.at_end()) return cursor_.advance(2);
    complain(begin, "this comment does not end", "add */");
    give_up();
  }

  bool begins_word() const {
    const char c = cursor_.peek();
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '+' || c == '-' || c == '.';
  }
  bool begins_string() const { return cursor_.peek() == '"' || cursor_.peek() == '\''; }
  bool begins_bracket() const { return cursor_.peek() == '{' || cursor_.peek() == '['; }
  bool begins_value() const { return begins_string() || begins_word() || begins_bracket(); }
  bool at_separator() const {
    const char c = cursor_.peek();
    return c == ',' || c == '}' || c == ']';
  }

  Value read_value() {
    const SourceLocation where = cursor_.where();
    if (begins_bracket()) return read_nested(where);
    if (begins_string()) return Value(read_string(), where);
    return read_json_word(cursor_, diagnostics_);
  }

  std::string read_string() {
    const size_t before = diagnostics_.error_count();
    std::string text = read_json_string(cursor_, diagnostics_);
    // A string without end may have swallowed brackets.
    if (diagnostics_.error_count() > before) brackets_lost_ = true;
    return text;
  }

  Value read_nested(const SourceLocation& where) {
    if (depth_ == kMaximumSceneDepth) {
      complain(where,
               "lists and objects are nested deeper than " + std::to_string(kMaximumSceneDepth) + " levels");
      give_up();
      return Value(std::monostate(), where);
    }
    ++depth_;
    const bool list = cursor_.peek() == '[';
    (list ? open_lists_ : open_objects_)++;
    cursor_.advance();
    Value value =
        list ? Value(read_items({'[', ']', where}), where) : Value(read_members({'{', '}', where}), where);
    (list ? open_lists_ : open_objects_)--;
    --depth_;
    return value;
  }

  Value::List read_items(const Bracket& bracket) {
    Value::List items;
    while (!closed(bracket)) {
      if (!begins_value()) {
        report_unexpected("a value");
        continue;
      }
      items.push_back(read_value());
      separate(bracket, "this element of the list");
    }
    return items;
  }

  Value::Object read_members(const Bracket& bracket) {
    Value::Object members;
    std::map<std::string, SourceLocation> places;
    while (!closed(bracket)) {
      if (!begins_string() && !begins_word()) {
        report_unexpected("a key in double quotes");
        if (begins_bracket()) skip_member(bracket);
        continue;
      }
      Value::Member member = read_member();
      separate(bracket, "the value of " + in_quotes(member.key));
      const auto [first, is_new] = places.emplace(member.key, member.key_where);
      if (is_new)
        members.push_back(std::move(member));
      else
        complain(member.key_where, "duplicate key " + in_quotes(member.key),
                 "it was first given at line " + std::to_string(first->second.line) + ", column " +
                     std::to_string(first->second.column) + "; remove one of them");
    }
    return members;
  }

  Value::Member read_member() {
    Value::Member member;
    member.key_where = cursor_.where();
    member.key = begins_string() ? read_string() : read_bare_key();
    read_colon(member.key);
    skip_space();
    member.value.where = cursor_.where();
    if (cursor_.at_end()) return member;
    if (at_separator()) {
      complain(member.value.where, "the key " + in_quotes(member.key) + " has no value");
      return member;
    }
    if (!begins_value()) report_unexpected("a value");
    if (begins_value()) member.value = read_value();
    return member;
  }

  /// A list or object where a key should be, and what may be its value.
  void skip_member(const Bracket& bracket) {
    read_value();
    skip_space();
    if (cursor_.peek() == ':') cursor_.advance();
    skip_space();
    if (begins_value()) read_value();
    separate(bracket, "this value");
  }

  std::string read_bare_key() {
    const SourceLocation where = cursor_.where();
    const std::string key(cursor_.take_word());
    complain(where, "keys need double quotes", "write " + in_quotes(key));
    return key;
  }

  void read_colon(const std::string& key) {
    const SourceLocation after = cursor_.where();
    skip_space();
    if (cursor_.peek() == ':') return cursor_.advance();
    if (cursor_.at_end()) return;
    if (cursor_.peek() == '=') {
      complain(cursor_.where(), "expected \":\" after the key " + in_quotes(key) + ", found \"=\"");
      cursor_.advance();
    } else if (!at_separator()) {
      complain(after, "missing \":\" after the key " + in_quotes(key));
    }
  }

  /// Between two parts of a list or object: a comma, or nothing before the closing bracket.
  void separate(const Bracket& bracket, const std::string& part) {
    const SourceLocation after = cursor_.where();
    skip_space();
    if (cursor_.peek() == ',') return cursor_.advance();
    if (cursor_.at_end() || at_separator()) return;
    if (begins_value())
      complain(after, "missing \",\" after " + part);
    else
      report_unexpected(std::string("\",\" or \"") + bracket.closing + "\"");
  }

  /// True, and behind the closing bracket, if the list or object ends here, rightly or not.
  bool closed(const Bracket& bracket) {
    skip_space();
    if (diagnostics_.error_count() >= kMaximumErrors) give_up();
    if (cursor_.at_end()) {
      if (brackets_lost_) given_up_ = true;
      complain(bracket.where, std::string("this \"") + bracket.opening + "\" is never closed",
               std::string("add \"") + bracket.closing + "\"");
      give_up();
      return true;
    }
    const char c = cursor_.peek();
    if (c == bracket.closing) {
      cursor_.advance();
      return true;
    }
    if (c != '}' && c != ']') return false;
    complain(cursor_.where(), std::string("expected \"") + bracket.closing + "\" to close the \"" +
                                  bracket.opening + "\" of line " + std::to_string(bracket.where.line) +
                                  ", found \"" + c + "\"");
    if ((c == ']' ? open_lists_ : open_objects_) > 0) return true;
    cursor_.advance();
    return closed(bracket);
  }

  /// Complains and skips at least one character unless a value begins here.
  void report_unexpected(const std::string& expected) {
    const SourceLocation where = cursor_.where();
    if (begins_bracket())
      return complain(where, "expected " + expected + ", found \"" + cursor_.peek() + "\"");
    const std::string_view character = cursor_.take_character();
    if (character.empty()) {
      complain(where, "this is not UTF-8 text", "save the file as UTF-8");
      return give_up();
    }
    complain(where, "expected " + expected + ", found " + in_quotes(character));
    while (!cursor_.at_end() && !at_separator() && !begins_value() && cursor_.peek() != '\n')
      cursor_.advance();
  }

  TextCursor cursor_;
  Diagnostics diagnostics_;
  int depth_ = 0;
  int open_lists_ = 0;
  int open_objects_ = 0;
  bool brackets_lost_ = false;
  bool given_up_ = false;
};

}  // namespace

Result<Value> parse_json_text(std::string_view text, const std::string& file) {
  if (text.size() > kMaximumSceneBytes)
    return failure({file, 0, 0},
                   "the scene is longer than " + std::to_string(kMaximumSceneBytes >> 20) + " MiB",
                   "keep large data such as meshes in their own files");
  return JsonParser(text, file).parse();
}

}  // namespace heddle
