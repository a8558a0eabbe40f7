#include "terminal.h"

#include "commands.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace heddle::cli {

void print(const Diagnostics& diagnostics) {
  fmt::print(stderr, "{}", diagnostics.text());
}

int reject(const Diagnostics& errors) {
  print(errors);
  return errors.has_disk_failure() ? kFailedRun : kBadInput;
}

void report_written(const std::string& file, bool json, const std::map<std::string, std::int64_t>& facts) {
  if (json) {
    nlohmann::json answer = facts;
    answer["written"] = file;
    fmt::print("{}\n", answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  std::string remark;
  for (const auto& [name, value] : facts)
    remark += fmt::format("{}{} {}", remark.empty() ? "" : ", ", name, value);
  fmt::print("wrote {}{}\n", file, remark.empty() ? "" : " (" + remark + ")");
}

bool is_terminal() {
  return isatty(fileno(stderr)) != 0;
}

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds > 0 ? std::max(seconds, 0.01) : 0.0);
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

void ProgressLine::show(const std::string& text) {
  if (!is_terminal()) return;
  const size_t blanks = width_ > text.size() ? width_ - text.size() : 0;
  fmt::print(stderr, "\r{}{}", text, std::string(blanks, ' '));
  std::fflush(stderr);
  width_ = text.size();
}

void ProgressLine::clear() {
  if (width_ > 0) fmt::print(stderr, "\r{}\r", std::string(width_, ' '));
  width_ = 0;
}

}  // namespace heddle::cli
