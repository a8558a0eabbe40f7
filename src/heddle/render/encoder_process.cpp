#include <heddle/render/encoder_process.h>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace heddle {
namespace {

Diagnostics cannot_start(const std::string& name, int error) {
  const bool missing = error == ENOENT;
  return failure({}, fmt::format("the program {} cannot be started: {}", name, std::strerror(error)),
                 missing ? "install it (Debian: apt install ffmpeg) or put it into PATH" : "");
}

int spawn(const std::vector<std::string>& arguments, int input, int complaints, pid_t& process) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
  const int error = posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

constexpr size_t kLongestQuote = 2000;  // characters of a message

/// What ffmpeg says with `-loglevel level+error`: it meets a full disk, says so, and still ends with code 0.
/// Other lines, such as those of the system's loader, do not matter.
bool tells_of_an_error(const std::string& complaints) {
  for (const char* level : {"[error]", "[fatal]", "[panic]"})
    if (complaints.find(level) != std::string::npos) return true;
  return false;
}

}  // namespace

Result<EncoderProcess> EncoderProcess::start(const std::vector<std::string>& arguments) {
  HEDDLE_CHECK(!arguments.empty());
  File complaints(std::tmpfile());
  // A socket instead of a pipe: writing to a program that has ended then is an error, not a signal.
  std::array<int, 2> ends{};
  if (!complaints || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return cannot_start(arguments[0], errno);
  pid_t process = -1;
  const int error = spawn(arguments, ends[1], fileno(complaints.get()), process);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return cannot_start(arguments[0], error);
  }
  return EncoderProcess(arguments[0], process, ends[0], std::move(complaints));
}

EncoderProcess::EncoderProcess(EncoderProcess&& other) noexcept
    : name_(std::move(other.name_)),
      process_(std::exchange(other.process_, -1)),
      input_(std::exchange(other.input_, -1)),
      stopped_reading_(other.stopped_reading_),
      complaints_(std::move(other.complaints_)) {}

EncoderProcess::~EncoderProcess() {
  close_input();
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void EncoderProcess::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

bool EncoderProcess::send(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) {
      stopped_reading_ = true;
      return false;
    }
    bytes = bytes.subspan(static_cast<size_t>(sent));
  }
  return true;
}

std::string EncoderProcess::complaints() const {
  std::array<char, 20000> text{};
  std::rewind(complaints_.get());
  const size_t length = std::fread(text.data(), 1, text.size(), complaints_.get());
  const std::string all(text.data(), length);
  return all.substr(0, all.find_last_not_of("\n ") + 1);
}

Status EncoderProcess::finish() {
  close_input();
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  const std::string said = complaints();
  const bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (ended_well && !tells_of_an_error(said) && !stopped_reading_) return Done{};
  const std::string how = WIFSIGNALED(status) ? fmt::format("was ended by signal {}", WTERMSIG(status))
                          : !ended_well       ? fmt::format("ended with code {}", WEXITSTATUS(status))
                          : stopped_reading_  ? "stopped reading before the last picture"
                                              : "told of an error";
  return failure({}, fmt::format("the program {} {}: {}", name_, how, said.substr(0, kLongestQuote)),
                 "check that it can encode H.264 (libx264) and that the disk is not full");
}

}  // namespace heddle
