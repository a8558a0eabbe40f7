#pragma once

#include <heddle/core/result.h>
#include <heddle/io/run_folder.h>

#include <optional>

namespace heddle {

/// The right to write into a run folder, which one process at a time has. The system takes it back when the
/// process ends in whatever way, so that a run that was killed can be resumed at once.
class RunLock {
 public:
  /// Makes the folder if it is missing. Fails if another run holds the lock, and names its process. On disks
  /// that know no locks the folder is not guarded.
  static Result<RunLock> take(const RunFolder& folder);
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&& other) = delete;
  /// Removes the lock's file.
  ~RunLock();

 private:
  RunLock(RunFolder folder, int descriptor) : folder_(std::move(folder)), descriptor_(descriptor) {}
  RunFolder folder_;
  int descriptor_;
};

/// Why nobody else may write into the folder now; empty if no run is writing there.
std::optional<Diagnostics> folder_in_use(const RunFolder& folder);

}  // namespace heddle
