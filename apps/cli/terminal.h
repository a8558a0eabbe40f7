#pragma once

#include <heddle/core/result.h>

#include <cstdint>
#include <map>
#include <string>

namespace heddle::cli {

/// Prints all messages to standard error, each on its line.
void print(const Diagnostics& diagnostics);

/// Prints the errors and returns the exit code for bad input, or that of a failure if the disk is to blame.
int reject(const Diagnostics& errors);

/// Says which file or folder was made: "wrote drape.png (frame 50)", or {"written": "drape.png", "frame":
/// 50}.
void report_written(const std::string& file, bool json,
                    const std::map<std::string, std::int64_t>& facts = {});

/// Is standard error a terminal, so that a progress line makes sense?
bool is_terminal();

/// "1 h 02 min", "3 min 20 s", "12 s", "0.4 s".
std::string duration_text(double seconds);

/// A line that is rewritten in place; does nothing if standard error is not a terminal.
class ProgressLine {
 public:
  ~ProgressLine() { clear(); }
  void show(const std::string& text);
  void clear();

 private:
  size_t width_ = 0;
};

}  // namespace heddle::cli
