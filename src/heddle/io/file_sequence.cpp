#include <heddle/core/text.h>
#include <heddle/io/mesh_sequence.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// A file name around its number: "walk_", two digits, ".obj".
struct NumberedName {
  std::string before, after;
  size_t digits = 0;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Splits at the last digits before the extension.
std::optional<NumberedName> split(const fs::path& file) {
  const std::string stem = file.stem().string();
  size_t first = stem.size();
  while (first > 0 && is_digit(stem[first - 1])) --first;
  const size_t digits = stem.size() - first;
  if (digits == 0 || digits > 15) return std::nullopt;
  return NumberedName{stem.substr(0, first), file.extension().string(), digits};
}

/// The name with # for the number.
struct Pattern {
  fs::path folder;
  std::string before, after;
  size_t digits = 0;

  std::optional<std::int64_t> number_in(const std::string& name) const {
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
      return std::nullopt;
    const std::string digits_text = name.substr(before.size(), name.size() - before.size() - after.size());
    if (!std::ranges::all_of(digits_text, is_digit) || digits_text.size() > 15) return std::nullopt;
    const bool padded =
        digits_text.size() == digits || (digits_text.size() > digits && digits_text[0] != '0');
    if (!padded) return std::nullopt;
    std::int64_t number = 0;
    std::from_chars(digits_text.data(), digits_text.data() + digits_text.size(), number);
    return number;
  }
  std::string name_of(std::int64_t number) const {
    return fmt::format("{}{:0{}}{}", before, number, digits, after);
  }
};

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error), end;
       !error && entry != end; entry.increment(error))
    if (!entry->is_directory(error)) names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The one pattern that the files of a folder follow.
Result<Pattern> pattern_of_folder(const fs::path& folder) {
  std::set<std::string> patterns;
  Pattern pattern{.folder = folder};
  for (const std::string& file : names_in(folder)) {
    const auto name = split(file);
    if (!name || (name->after != ".obj" && name->after != ".ply")) continue;
    const bool is_first = patterns.empty();
    if (patterns.insert(name->before + "#" + name->after).second && is_first)
      pattern = {folder, name->before, name->after, name->digits};
    pattern.digits = std::min(pattern.digits, name->digits);
  }
  if (patterns.empty())
    return failure({folder.string()}, "the folder holds no numbered .obj or .ply files",
                   "name the files as in \"walk_####.obj\"");
  if (patterns.size() > 1)
    return failure({folder.string()},
                   "the folder holds several sequences: " +
                       quoted_list(std::vector<std::string>(patterns.begin(), patterns.end())),
                   "name one of them instead of the folder, with # for each digit of the number");
  return pattern;
}

Result<Pattern> pattern_of(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return pattern_of_folder(path);
  const std::string name = path.filename().string();
  const size_t first = name.find('#');
  if (first == std::string::npos) {
    if (fs::exists(path, error))
      return failure({path.string()}, "is one file, not a sequence",
                     "write its number with #, as in \"walk_####.obj\"; a surface that does not deform is a "
                     "\"mesh\"");
    return failure({path.string()}, "there is no such folder",
                   "check the name, or write a file name with # for each digit of the number");
  }
  const size_t last = name.find_last_of('#');
  if (name.find_first_not_of('#', first) <= last)
    return failure({path.string()}, "the name has # at two places",
                   "write # only for the digits of the number");
  return Pattern{path.parent_path(), name.substr(0, first), name.substr(last + 1), last - first + 1};
}

/// Compares with the first frame.
std::string difference(const TriangleMesh& first, const TriangleMesh& mesh, const std::string& first_name) {
  if (mesh.positions.size() != first.positions.size())
    return fmt::format("has {} vertices, but {} has {}", mesh.positions.size(), first_name,
                       first.positions.size());
  if (mesh.triangles.size() != first.triangles.size())
    return fmt::format("has {} triangles, but {} has {}", mesh.triangles.size(), first_name,
                       first.triangles.size());
  const auto [a, b] = std::ranges::mismatch(first.triangles, mesh.triangles);
  if (a == first.triangles.end()) return {};
  return fmt::format("triangle {} has other corners than in {}", a - first.triangles.begin(), first_name);
}

}  // namespace

Result<std::vector<fs::path>> numbered_files(const fs::path& path) {
  const Result<Pattern> pattern = pattern_of(path);
  if (!pattern) return pattern.errors();
  std::map<std::int64_t, std::string> found;
  for (const std::string& name : names_in(pattern->folder)) {
    const auto number = pattern->number_in(name);
    if (!number) continue;
    const auto [known, is_new] = found.emplace(*number, name);
    if (!is_new)
      return failure({path.string()},
                     fmt::format("\"{}\" and \"{}\" are both frame {}", known->second, name, *number),
                     "write as many # as the numbers have digits");
  }
  if (found.empty())
    return failure(
        {path.string()}, "no file has such a name",
        fmt::format("the first would be \"{}\": check the name and the number of #", pattern->name_of(1)));
  std::vector<fs::path> files;
  std::int64_t next = found.begin()->first;
  for (const auto& [number, name] : found) {
    if (number != next)
      return failure(
          {(pattern->folder / pattern->name_of(next)).string()},
          number == next + 1
              ? std::string("this frame of the sequence is missing")
              : fmt::format("this frame of the sequence is missing, and so are all to {}", number - 1),
          fmt::format("the files count from {} to {}: write it again, or number the files without a gap",
                      found.begin()->first, found.rbegin()->first));
    files.push_back(pattern->folder / name);
    ++next;
  }
  return files;
}

Result<RawSequence> read_file_sequence(const fs::path& pattern, Diagnostics* warnings) {
  const Result<std::vector<fs::path>> files = numbered_files(pattern);
  if (!files) return files.errors();
  RawSequence sequence;
  for (const fs::path& file : *files) {
    const bool is_first = &file == &files->front();
    Result<TriangleMesh> mesh =
        import_mesh(file, {.up = UpAxis::z, .warnings = is_first ? warnings : nullptr});
    if (!mesh) return mesh.errors();
    for (size_t i = 0; i < mesh->positions.size(); ++i)
      if (!mesh->positions[i].allFinite())
        return failure({file.string()},
                       fmt::format("vertex {} has a coordinate that is not a finite number", i),
                       "export the sequence again");
    if (is_first) sequence.mesh = *mesh;
    if (const std::string problem = difference(sequence.mesh, *mesh, files->front().filename().string());
        !problem.empty())
      return failure({file.string()}, problem,
                     "all frames of a sequence need the same faces in the same order: export them from one "
                     "mesh that deforms");
    for (const Vec3& x : mesh->positions) sequence.positions.push_back(x.cast<float>());
  }
  return sequence;
}

}  // namespace heddle
