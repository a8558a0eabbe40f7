#pragma once

#include <heddle/core/result.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// A program that reads bytes from its standard input. It is started directly, never through a shell, so that
/// file names cannot be taken for commands.
class EncoderProcess {
 public:
  /// `arguments[0]` is the program, looked up in PATH.
  static Result<EncoderProcess> start(const std::vector<std::string>& arguments);
  EncoderProcess(EncoderProcess&& other) noexcept;
  EncoderProcess& operator=(EncoderProcess&&) = delete;
  /// Ends the program if it still runs.
  ~EncoderProcess();

  /// False once the program has stopped reading.
  bool send(std::span<const std::uint8_t> bytes);
  /// Closes its input and waits; the error quotes what the program complained about. A program that ends
  /// with code 0 has failed all the same if it marked a line as [error] or worse, or did not read everything.
  Status finish();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;
  EncoderProcess(std::string name, int process, int input, File complaints)
      : name_(std::move(name)), process_(process), input_(input), complaints_(std::move(complaints)) {}
  std::string complaints() const;
  void close_input();

  std::string name_;
  int process_ = -1;
  int input_ = -1;
  bool stopped_reading_ = false;
  File complaints_;
};

}  // namespace heddle
