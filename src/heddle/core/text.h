#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Number of single-character edits (insert, delete, replace, swap of neighbours) between two words.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate that is most probably meant by `word`, or an empty string if none is near.
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

/// `text` in double quotes for a message: control characters as escapes, long texts shortened.
std::string in_quotes(std::string_view text);

/// "a, b or c", each in double quotes.
std::string quoted_list(std::span<const std::string> names);

/// "a cloth", "an obstacle".
std::string with_article(const std::string& noun);

/// "1 vertex", "2 vertices"; without `plural` the noun gets an s.
std::string counted(std::int64_t count, const std::string& noun, const std::string& plural = {});

/// The path as a word of a POSIX shell, in quotes where it needs them; never taken for an option.
std::string shell_path(const std::string& path);

/// The shortest decimal text that reads back as the same double.
std::string number_text(double value);
/// Three significant digits, for reading.
std::string short_number_text(double value);

}  // namespace heddle
