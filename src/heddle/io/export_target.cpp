#include <heddle/io/export.h>
#include <heddle/io/export_target.h>
#include <heddle/io/overwrite.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace heddle {
namespace fs = std::filesystem;
namespace {

constexpr const char* kListName = "heddle-export.json";

struct ExportList {
  std::string format;
  std::set<std::string> files;
};

/// Names with a folder in them are left out: the list must never reach outside of its folder.
std::optional<ExportList> read_list(const fs::path& folder) {
  const Result<std::string> text = read_file(folder / kListName);
  if (!text) return std::nullopt;
  const nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || json.value("written_by", nlohmann::json()) != "Heddle") return std::nullopt;
  ExportList list;
  const nlohmann::json format = json.value("format", nlohmann::json());
  if (format.is_string()) list.format = format;
  for (const nlohmann::json& name : json.value("files", nlohmann::json::array()))
    if (name.is_string() && fs::path(name.get<std::string>()).filename() == name.get<std::string>())
      list.files.insert(name.get<std::string>());
  return list;
}

bool holds_anything(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (!is_temporary_name(entry->path())) return true;
  return false;
}

/// The highest part of the path that does not exist yet; empty if the whole exists.
fs::path highest_missing(fs::path folder) {
  std::error_code error;
  fs::path missing;
  for (; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path()) missing = folder;
  return missing;
}

Status check_folder(const fs::path& folder, const std::string& format, bool overwrite) {
  std::error_code error;
  if (!fs::exists(folder, error)) return Done{};
  if (!fs::is_directory(folder, error))
    return failure({folder.string()}, "is a file, not a folder", "give a folder");
  if (overwrite || !holds_anything(folder)) return Done{};
  const std::optional<ExportList> list = read_list(folder);
  if (!list) return failure({folder.string()}, "is not empty and holds no earlier export", kOverwriteRemedy);
  if (list->format == format) return Done{};
  return failure({folder.string()}, fmt::format("holds an export of format \"{}\"", list->format),
                 kOverwriteRemedy);
}

}  // namespace

Result<ExportTarget> ExportTarget::open(const ExportFormat& format, const ExportOptions& options) {
  fs::path out = options.out;
  if (out.filename().empty() && out.has_parent_path()) out = out.parent_path();  // "folder/"
  if (out.empty()) return failure({}, "the export has no place to go", "give a file or folder");
  if (format.single_file && out.extension() != format.extension) out += format.extension;
  ExportTarget target(out, format.name, format.single_file);
  target.highest_new_folder_ = highest_missing(format.single_file ? out.parent_path() : out);
  const Status checked = format.single_file ? check_overwrite(out, options.overwrite)
                                            : check_folder(out, format.name, options.overwrite);
  if (!checked) return checked.errors();
  if (format.single_file) return target;
  if (std::optional<ExportList> list = read_list(out)) target.old_files_ = std::move(list->files);
  if (Status written = target.write_list(target.old_files_); !written) return written.errors();
  return target;
}

Result<AtomicFile> ExportTarget::create(const std::string& name) {
  note(name);
  return AtomicFile::create(single_file_ ? out_ : out_ / name);
}

Status ExportTarget::write(const std::string& name, std::string_view bytes) {
  note(name);
  return write_file_atomically(single_file_ ? out_ : out_ / name, bytes);
}

void ExportTarget::note(const std::string& name) {
  std::error_code error;
  if (!files_.contains(name) && !old_files_.contains(name) && fs::exists(out_ / name, error))
    foreign_files_.insert(name);
  files_.insert(name);
}

void ExportTarget::abandon() {
  std::error_code ignored;
  if (!single_file_) {
    for (const std::string& name : files_)
      if (!foreign_files_.contains(name)) fs::remove(out_ / name, ignored);
    std::erase_if(old_files_, [&](const std::string& name) { return files_.contains(name); });
    if (old_files_.empty() || !write_list(old_files_)) fs::remove(out_ / kListName, ignored);
  }
  if (highest_new_folder_.empty()) return;
  for (fs::path folder = single_file_ ? out_.parent_path() : out_; fs::remove(folder, ignored);
       folder = folder.parent_path())
    if (folder == highest_new_folder_) break;
}

Status ExportTarget::finish() {
  if (single_file_) return Done{};
  std::error_code ignored;
  for (const std::string& name : old_files_)
    if (!files_.contains(name)) fs::remove(out_ / name, ignored);
  return write_list(files_);
}

Status ExportTarget::write_list(const std::set<std::string>& files) const {
  const nlohmann::ordered_json list{{"written_by", "Heddle"}, {"format", format_}, {"files", files}};
  return write_file_atomically(out_ / kListName, list.dump(1) + "\n");
}

}  // namespace heddle
