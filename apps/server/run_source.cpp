#include "server/run_source.h"

#include <heddle/io/atomic_file.h>

namespace heddle {
namespace {

std::string text_or(const std::filesystem::path& file, const char* otherwise) {
  Result<std::string> text = read_file(file);
  return text ? std::move(*text) : otherwise;
}

}  // namespace

Result<Snapshot> RunFolderSource::frame(std::int64_t index) const {
  return read_snapshot(reader_.folder().frame(index));
}

std::string RunFolderSource::metrics_csv() const {
  return text_or(reader_.folder().metrics_csv(), "");
}

std::string RunFolderSource::run_json() const {
  return text_or(reader_.folder().run_json(), "{}");
}

}  // namespace heddle
