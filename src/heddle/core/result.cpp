#include <heddle/core/result.h>

#include <algorithm>

namespace heddle {

std::string to_string(const SourceLocation& where) {
  std::string text = where.file;
  if (where.line > 0) text += ":" + std::to_string(where.line);
  if (where.line > 0 && where.column > 0) text += ":" + std::to_string(where.column);
  return text;
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string text = to_string(diagnostic.where);
  if (!text.empty()) text += ": ";
  text += diagnostic.severity == Severity::error ? "error: " : "warning: ";
  text += diagnostic.message;
  if (!diagnostic.remedy.empty()) text += "; " + diagnostic.remedy;
  return text;
}

void Diagnostics::error(SourceLocation where, std::string message, std::string remedy) {
  items_.push_back({Severity::error, std::move(where), std::move(message), std::move(remedy)});
  ++error_count_;
}

void Diagnostics::warning(SourceLocation where, std::string message, std::string remedy) {
  items_.push_back({Severity::warning, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::append(const Diagnostic& item) {
  items_.push_back(item);
  if (item.severity == Severity::error) ++error_count_;
}

bool Diagnostics::has_disk_failure() const {
  return std::any_of(items_.begin(), items_.end(), [](const Diagnostic& item) { return item.disk_failed; });
}

void Diagnostics::append(const Diagnostics& other) {
  items_.insert(items_.end(), other.items_.begin(), other.items_.end());
  error_count_ += other.error_count_;
}

void Diagnostics::sort_by_place(const std::vector<std::string>& files) {
  const auto rank = [&](const std::string& file) {
    return std::find(files.begin(), files.end(), file) - files.begin();
  };
  const auto before = [&](const Diagnostic& a, const Diagnostic& b) {
    if (a.where.file != b.where.file)
      return std::pair(rank(a.where.file), a.where.file) < std::pair(rank(b.where.file), b.where.file);
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  };
  std::stable_sort(items_.begin(), items_.end(), before);
}

std::string Diagnostics::text() const {
  std::string text;
  for (const Diagnostic& item : items_) text += to_string(item) + "\n";
  return text;
}

Diagnostics failure(SourceLocation where, std::string message, std::string remedy) {
  Diagnostics diagnostics;
  diagnostics.error(std::move(where), std::move(message), std::move(remedy));
  return diagnostics;
}

Diagnostics disk_failure(SourceLocation where, std::string message, std::string remedy) {
  Diagnostics diagnostics;
  diagnostics.append(Diagnostic{.where = std::move(where),
                                .message = std::move(message),
                                .remedy = std::move(remedy),
                                .disk_failed = true});
  return diagnostics;
}

}  // namespace heddle
