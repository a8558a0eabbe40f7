#pragma once

#include <heddle/core/result.h>
#include <heddle/io/atomic_file.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace heddle {

struct ExportFormat;
struct ExportOptions;

/// Where an export goes. A folder keeps a list of the export's files in heddle-export.json, by which a later
/// export knows that it may replace them.
class ExportTarget {
 public:
  /// Errors if something foreign would be replaced; writes the list of a folder otherwise.
  static Result<ExportTarget> open(const ExportFormat& format, const ExportOptions& options);

  /// A new file of the folder; single-file formats call it with any name for their one file.
  Result<AtomicFile> create(const std::string& name);
  Status write(const std::string& name, std::string_view bytes);
  /// Removes what an earlier export left and this one did not write again, and completes the list.
  Status finish();
  /// After a failure: removes what was written, and the folders made for it. Files that were there before and
  /// were replaced stay as they are now.
  void abandon();

 private:
  ExportTarget(std::filesystem::path out, std::string format, bool single_file)
      : out_(std::move(out)), format_(std::move(format)), single_file_(single_file) {}
  void note(const std::string& name);
  Status write_list(const std::set<std::string>& files) const;

  std::filesystem::path out_;
  std::string format_;
  bool single_file_;
  std::set<std::string> old_files_, files_;
  std::set<std::string> foreign_files_;       // there before, from elsewhere
  std::filesystem::path highest_new_folder_;  // empty if none had to be made
};

}  // namespace heddle
