#include <heddle/io/mesh_collector.h>
#include <heddle/io/mesh_import.h>
#include <heddle/io/text_scanner.h>

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

constexpr int kMostErrors = 20;

/// A face's corner: "7", "7/2", "7//3" or "7/2/3", each counted from 1, or from the end if negative.
struct Corner {
  int vertex = -1;
  std::optional<int> uv;
};

/// Joins lines that end in a backslash with their continuation, then adds empty lines so that the numbers of
/// all later lines stay what they were.
std::string joined_lines(std::string_view text) {
  std::string joined;
  size_t owed = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    const size_t break_size = rest.starts_with("\\\n") ? 2 : rest.starts_with("\\\r\n") ? 3 : 0;
    joined += break_size > 0 ? ' ' : text[at];
    if (break_size > 0) {
      ++owed;
      at += break_size - 1;
    } else if (text[at] == '\n') {
      joined.append(std::exchange(owed, 0), '\n');
    }
  }
  return joined;
}

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name) : lines_(text), name_(name), mesh_(name) {}

  Result<TriangleMesh> read(Diagnostics* warnings) {
    while (errors_ < kMostErrors && lines_.next_line()) read_line();
    if (diagnostics_.has_errors()) return diagnostics_;
    return mesh_.finish(warnings);
  }

 private:
  void read_line() {
    const std::string_view keyword = lines_.next_word();
    if (keyword == "v") read_position();
    if (keyword == "vt") read_uv();
    if (keyword == "f") read_face();
    if (keyword == "o") set_names(object_);
    if (keyword == "usemtl") set_names(material_);
    if (keyword == "g") set_groups();
  }

  void error(std::string message, std::string remedy = {}) {
    diagnostics_.error({name_, lines_.line_number()}, std::move(message), std::move(remedy));
    ++errors_;
  }

  /// The line's next number; missing ones are 0 if `optional`.
  std::optional<double> number(bool optional = false) {
    const std::string_view word = lines_.next_word();
    if (word.empty() && optional) return 0.0;
    const std::optional<double> value = parse_number<double>(word);
    if (!value) error(fmt::format("expected a finite number, found \"{}\"", word.substr(0, 40)));
    return value;
  }

  void read_position() {
    const auto x = number();
    const auto y = x ? number() : x;
    const auto z = y ? number() : y;
    // After an error the vertex still counts, lest every later face be reported too.
    mesh_.add_vertex(z ? Vec3(*x, *y, *z) : Vec3(Vec3::Zero()));
  }

  void read_uv() {
    const auto u = number();
    const auto v = u ? number(true) : u;
    uvs_.push_back(v ? Vec2(*u, *v) : Vec2(Vec2::Zero()));
  }

  std::optional<int> index(std::string_view word, int count, const char* what) {
    const std::optional<int> number = parse_number<int>(word);
    if (!number || *number == 0) {
      error(fmt::format("expected the number of a {}, found \"{}\"", what, word.substr(0, 40)),
            "they count from 1, or from the end if negative");
      return std::nullopt;
    }
    const int found = *number > 0 ? *number - 1 : count + *number;
    if (found >= 0 && found < count) return found;
    error(fmt::format("a face names {} {}, but there are {} so far", what, *number, count),
          "faces may only use what stands above them");
    return std::nullopt;
  }

  std::optional<Corner> corner(std::string_view word) {
    Corner corner;
    const size_t slash = std::min(word.find('/'), word.size());
    const auto vertex = index(word.substr(0, slash), mesh_.mesh.vertex_count(), "vertex");
    if (!vertex) return std::nullopt;
    corner.vertex = *vertex;
    word.remove_prefix(std::min(slash + 1, word.size()));
    const std::string_view uv = word.substr(0, word.find('/'));
    if (uv.empty()) return corner;
    corner.uv = index(uv, static_cast<int>(uvs_.size()), "texture coordinate");
    return corner.uv ? std::optional(corner) : std::nullopt;
  }

  void read_face() {
    std::vector<int> vertices;
    std::vector<Vec2> uvs;
    for (std::string_view word = lines_.next_word(); !word.empty(); word = lines_.next_word()) {
      if (word.starts_with('#')) break;
      const std::optional<Corner> found = corner(word);
      if (!found) return;
      vertices.push_back(found->vertex);
      if (found->uv) uvs.push_back(uvs_[static_cast<size_t>(*found->uv)]);
    }
    if (uvs.size() != vertices.size()) uvs.clear();
    const std::string problem = mesh_.add_polygon(vertices, uvs, current_groups());
    if (!problem.empty()) error(problem);
  }

  void set_names(std::vector<std::string>& names) {
    names.clear();
    if (const std::string_view name = lines_.rest_of_line(); !name.empty()) names.emplace_back(name);
    groups_changed_ = true;
  }

  void set_groups() {
    groups_.clear();
    for (std::string_view word = lines_.next_word(); !word.empty(); word = lines_.next_word())
      groups_.emplace_back(word);
    groups_changed_ = true;
  }

  const std::vector<std::string>& current_groups() {
    if (!groups_changed_) return current_;
    current_.clear();
    for (const auto* names : {&object_, &groups_, &material_})
      current_.insert(current_.end(), names->begin(), names->end());
    std::sort(current_.begin(), current_.end());
    current_.erase(std::unique(current_.begin(), current_.end()), current_.end());
    groups_changed_ = false;
    return current_;
  }

  TextScanner lines_;
  std::string name_;
  MeshCollector mesh_;
  std::vector<Vec2> uvs_;
  std::vector<std::string> object_, groups_, material_, current_;
  bool groups_changed_ = false;
  Diagnostics diagnostics_;
  int errors_ = 0;
};

}  // namespace

Result<TriangleMesh> read_obj_text(std::string_view text, const std::string& name, Diagnostics* warnings) {
  if (text.find("\\\n") == std::string_view::npos && text.find("\\\r\n") == std::string_view::npos)
    return ObjReader(text, name).read(warnings);
  const std::string joined = joined_lines(text);
  return ObjReader(joined, name).read(warnings);
}

}  // namespace heddle
