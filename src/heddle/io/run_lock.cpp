#include <heddle/io/atomic_file.h>
#include <heddle/io/run_lock.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace heddle {
namespace fs = std::filesystem;
namespace {

/// Belongs to the open file, not to the process: it also keeps two runs of one process apart.
struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

Diagnostics in_use(const RunFolder& folder, int descriptor) {
  char text[32] = {};
  const ssize_t count = ::pread(descriptor, text, sizeof text - 1, 0);
  const std::string process = count > 0 ? fmt::format("process {}", text) : "another process";
  return failure({folder.root().string()}, fmt::format("{} is writing a run into this folder", process),
                 "wait for it, end it, or choose another folder with -o");
}

/// Another process may have removed the file between our opening and locking it.
bool is_still_there(const fs::path& file, int descriptor) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

void sign(int descriptor) {
  const std::string process = std::to_string(::getpid());
  // The name of the process only serves messages: a full disk does not matter.
  if (::ftruncate(descriptor, 0) == 0) [[maybe_unused]]
    const ssize_t count = ::pwrite(descriptor, process.data(), process.size(), 0);
}

}  // namespace

Result<RunLock> RunLock::take(const RunFolder& folder) {
  std::error_code error;
  fs::create_directories(folder.root(), error);
  if (error) return system_failure(folder.root(), "create the folder", error.value());
  while (true) {
    const int descriptor = ::open(folder.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) return system_failure(folder.root(), "write into the folder", errno);
    RunLock lock(folder, descriptor);
    struct flock wanted = whole_file();
    if (::fcntl(descriptor, F_OFD_SETLK, &wanted) != 0 && (errno == EAGAIN || errno == EACCES)) {
      Diagnostics refusal = in_use(folder, descriptor);
      ::close(std::exchange(lock.descriptor_, -1));
      return refusal;
    }
    if (is_still_there(folder.lock(), descriptor)) {
      sign(descriptor);
      return lock;
    }
    ::close(std::exchange(lock.descriptor_, -1));
  }
}

RunLock::RunLock(RunLock&& other) noexcept
    : folder_(other.folder_), descriptor_(std::exchange(other.descriptor_, -1)) {}

RunLock::~RunLock() {
  if (descriptor_ < 0) return;
  ::unlink(folder_.lock().c_str());  // first, so that nobody's lock is removed
  ::close(descriptor_);
}

std::optional<Diagnostics> folder_in_use(const RunFolder& folder) {
  const int descriptor = ::open(folder.lock().c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct flock wanted = whole_file();
  const bool held = ::fcntl(descriptor, F_OFD_GETLK, &wanted) == 0 && wanted.l_type != F_UNLCK;
  std::optional<Diagnostics> refusal;
  if (held) refusal = in_use(folder, descriptor);
  ::close(descriptor);
  return refusal;
}

}  // namespace heddle
