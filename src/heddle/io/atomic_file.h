#pragma once

#include <heddle/core/result.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace heddle {

/// A file that appears whole at commit() or not at all. The bytes go to a temporary file in the same folder
/// (created if missing); the destructor removes it unless commit() succeeded.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::filesystem::path& file);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) = delete;
  ~AtomicFile();

  /// The unfinished file, for other programs that write it; not to be removed or replaced.
  const std::filesystem::path& temporary() const { return temporary_; }
  Status write(std::string_view bytes);
  /// Flushes to the disk and renames into place; nothing may be written afterwards.
  Status commit();

 private:
  AtomicFile(std::filesystem::path file, std::filesystem::path temporary, int descriptor)
      : file_(std::move(file)), temporary_(std::move(temporary)), descriptor_(descriptor) {}
  Diagnostics give_up(const char* action);

  std::filesystem::path file_;
  std::filesystem::path temporary_;  // empty once committed or given up
  int descriptor_ = -1;
};

/// Writes the bytes beside `file` and renames them into place, so that readers see the old or the new file,
/// never a part. Reports full disks and missing permissions with the system's reason.
Status write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

/// The whole file, or an error that names it; pipes and devices are refused.
Result<std::string> read_file(const std::filesystem::path& file);

/// "cannot …: the system's reason" for an `errno`, with what to do about it.
Diagnostics system_failure(const std::filesystem::path& file, std::string_view action, int error);

/// Whether the name is one that AtomicFile gives to unfinished files; readers of folders skip these.
bool is_temporary_name(const std::filesystem::path& file);

/// Removes unfinished files that killed processes left in `folder`; AtomicFile::create does so
/// for its folder by itself. Files of living processes and younger files stay.
void remove_stale_temporaries(const std::filesystem::path& folder,
                              std::chrono::seconds youngest = std::chrono::minutes(1));

/// Removes all unfinished files in `folder`, or those of one file, of whatever age and process: for those who
/// alone may write there, see RunLock.
void remove_temporaries(const std::filesystem::path& folder);
void remove_temporaries_of(const std::filesystem::path& file);

}  // namespace heddle
