#include <heddle/io/atomic_file.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>

namespace heddle {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kTemporaryMark = ".heddle-tmp-";

std::string remedy_for(int error) {
  switch (error) {
    case ENOENT:
      return "check the name and the folder";
    case ENOTDIR:
      return "a part of the path is a file; choose another place";
    case EISDIR:
      return "this is a folder; give the name of a file";
    case EACCES:
    case EPERM:
    case EROFS:
      return "check the permissions, or choose another place";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "make room on the disk, or choose another one";
    case EIO:
      return "check the disk, or choose another one";
    default:
      return {};
  }
}

bool is_of_the_disk(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO;
}

fs::path temporary_name(const fs::path& file, int attempt) {
  return file.parent_path() /
         fmt::format(".{}{}{}-{}", file.filename().string(), kTemporaryMark, ::getpid(), attempt);
}

struct TemporaryName {
  std::string target;  // the file that it was to become
  pid_t owner = 0;     // the process that wrote it
};

/// Undoes temporary_name(); empty if the name is not exactly of its form.
std::optional<TemporaryName> parse_temporary(const fs::path& file) {
  const std::string name = file.filename().string();
  const size_t mark = name.rfind(kTemporaryMark);
  if (mark == std::string::npos || mark < 2 || name[0] != '.') return std::nullopt;
  TemporaryName found{name.substr(1, mark - 1)};
  int attempt = -1;
  const char* const end = name.data() + name.size();
  const auto owner = std::from_chars(name.data() + mark + kTemporaryMark.size(), end, found.owner);
  if (owner.ec != std::errc() || owner.ptr == end || *owner.ptr != '-') return std::nullopt;
  const auto number = std::from_chars(owner.ptr + 1, end, attempt);
  if (number.ec != std::errc() || number.ptr != end || attempt < 0 || found.owner <= 0) return std::nullopt;
  return found;
}

template <class Condition>
void remove_files_if(const fs::path& folder, const Condition& condition) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    const bool is_file = fs::is_regular_file(entry->symlink_status(ignored));
    if (is_file && condition(entry->path())) fs::remove(entry->path(), ignored);
  }
}

bool is_stale(const fs::path& file, std::chrono::seconds youngest) {
  const auto name = parse_temporary(file);
  if (!name || ::kill(name->owner, 0) == 0 || errno != ESRCH) return false;
  // On shared disks the owner may live on another machine, where it writes again within the minute.
  std::error_code error;
  const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file, error);
  return !error && age >= youngest;
}

/// A rename survives a power cut only once its folder is on the disk; some file systems cannot do that.
void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

Diagnostics system_failure(const fs::path& file, std::string_view action, int error) {
  const std::string message = fmt::format("cannot {}: {}", action, std::strerror(error));
  const auto fail = is_of_the_disk(error) ? disk_failure : failure;
  return fail({file.string()}, message, remedy_for(error));
}

bool is_temporary_name(const fs::path& file) {
  return parse_temporary(file).has_value();
}

void remove_stale_temporaries(const fs::path& folder, std::chrono::seconds youngest) {
  remove_files_if(folder, [&](const fs::path& file) { return is_stale(file, youngest); });
}

void remove_temporaries(const fs::path& folder) {
  remove_files_if(folder, is_temporary_name);
}

void remove_temporaries_of(const fs::path& file) {
  const auto is_of_file = [&](const fs::path& candidate) {
    const auto name = parse_temporary(candidate);
    return name && name->target == file.filename();
  };
  remove_files_if(file.has_parent_path() ? file.parent_path() : fs::path("."), is_of_file);
}

Result<AtomicFile> AtomicFile::create(const fs::path& file) {
  std::error_code error;
  const fs::path folder = file.parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) return system_failure(folder, "create the folder", error.value());
  if (fs::is_directory(file, error)) return system_failure(file, "write the file", EISDIR);
  remove_stale_temporaries(folder.empty() ? fs::path(".") : folder);
  for (int attempt = 0;; ++attempt) {
    fs::path temporary = temporary_name(file, attempt);
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return AtomicFile(file, std::move(temporary), descriptor);
    if (errno != EEXIST) return system_failure(file, "write the file", errno);
  }
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Diagnostics AtomicFile::give_up(const char* action) {
  const int error = errno;
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  ::unlink(temporary_.c_str());
  temporary_.clear();
  return system_failure(file_, action, error);
}

Status AtomicFile::write(std::string_view bytes) {
  HEDDLE_CHECK(descriptor_ >= 0);
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return give_up("write the file");
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return Done{};
}

Status AtomicFile::commit() {
  HEDDLE_CHECK(descriptor_ >= 0);
  if (::fsync(descriptor_) != 0 && errno != EINVAL) return give_up("write the file");
  if (::close(std::exchange(descriptor_, -1)) != 0) return give_up("write the file");
  if (::rename(temporary_.c_str(), file_.c_str()) != 0) return give_up("put the file into place");
  temporary_.clear();
  sync_folder(file_.parent_path());
  return Done{};
}

Status write_file_atomically(const fs::path& file, std::string_view bytes) {
  Result<AtomicFile> out = AtomicFile::create(file);
  if (!out) return out.errors();
  if (Status written = out->write(bytes); !written) return written;
  return out->commit();
}

Result<std::string> read_file(const fs::path& file) {
  std::error_code ignored;  // opening it tells the reason
  const fs::file_status kind = fs::status(file, ignored);
  // Pipes and devices may never end, and cannot be read a second time.
  if (fs::exists(kind) && !fs::is_regular_file(kind))
    return failure({file.string()},
                   fs::is_directory(kind) ? "is a folder" : "is a pipe or a device, not a file",
                   "name a file");
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_failure(file, "open the file", errno);
  std::string bytes;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0) bytes.reserve(static_cast<size_t>(status.st_size) + 1);
  ssize_t count = 1;
  char buffer[65536];
  while (count != 0) {
    count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno != EINTR) break;
    if (count > 0) bytes.append(buffer, static_cast<size_t>(count));
  }
  const int error = errno;
  ::close(descriptor);
  if (count < 0) return system_failure(file, "read the file", error);
  return bytes;
}

}  // namespace heddle
