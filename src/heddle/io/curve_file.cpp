#include <heddle/io/curve_file.h>

#include <heddle/io/assimp_reader.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/mesh_import.h>
#include <heddle/io/text_scanner.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace heddle {

namespace {

constexpr int kMostErrors = 20;

size_t at(int i) {
  return static_cast<size_t>(i);
}

class ObjLines {
 public:
  ObjLines(std::string_view text, const std::string& name) : lines_(text), name_(name) {}

  Result<CurveNet> read() {
    while (errors_ < kMostErrors && lines_.next_line()) {
      const std::string_view keyword = lines_.next_word();
      if (keyword == "v") read_position();
      if (keyword == "l") read_line();
    }
    if (diagnostics_.has_errors()) return diagnostics_;
    if (net_.segments.empty())
      return failure({name_}, "the file holds no lines",
                     "write them as \"l 1 2 3\", which joins vertices by their numbers; faces are not used");
    drop_unused();
    return net_;
  }

 private:
  void error(std::string message, std::string remedy = {}) {
    diagnostics_.error({name_, lines_.line_number()}, std::move(message), std::move(remedy));
    ++errors_;
  }

  void read_position() {
    Vec3 position = Vec3::Zero();
    for (double& coordinate : position) {
      const std::string_view word = lines_.next_word();
      const std::optional<double> number = parse_number<double>(word);
      if (!number) {
        error(fmt::format("expected a finite number, found \"{}\"", word.substr(0, 40)));
        break;
      }
      coordinate = *number;
    }
    net_.points.push_back(position);  // also after an error, lest every later line be reported
  }

  /// "7" or "7/2", counted from 1, or from the end if negative.
  std::optional<int> vertex(std::string_view word) {
    const int count = static_cast<int>(net_.points.size());
    const std::optional<int> number = parse_number<int>(word.substr(0, word.find('/')));
    if (!number || *number == 0) {
      error(fmt::format("expected the number of a vertex, found \"{}\"", word.substr(0, 40)),
            "they count from 1, or from the end if negative");
      return std::nullopt;
    }
    const int found = *number > 0 ? *number - 1 : count + *number;
    if (found >= 0 && found < count) return found;
    error(fmt::format("a line names vertex {}, but there are {} so far", *number, count),
          "lines may only use what stands above them");
    return std::nullopt;
  }

  void read_line() {
    std::optional<int> last;
    int count = 0;
    for (std::string_view word = lines_.next_word(); !word.empty() && !word.starts_with('#');
         word = lines_.next_word()) {
      const std::optional<int> next = vertex(word);
      if (!next) return;
      if (last) net_.segments.push_back({*last, *next});
      last = next;
      ++count;
    }
    if (count < 2) error("a line needs at least two vertices");
  }

  void drop_unused() {
    std::vector<int> number(net_.points.size(), -1);
    std::vector<Vec3> used;
    for (auto& ends : net_.segments)
      for (int& end : ends) {
        if (number[at(end)] < 0) {
          number[at(end)] = static_cast<int>(used.size());
          used.push_back(net_.points[at(end)]);
        }
        end = number[at(end)];
      }
    net_.points = std::move(used);
  }

  TextScanner lines_;
  std::string name_;
  CurveNet net_;
  Diagnostics diagnostics_;
  int errors_ = 0;
};

struct SingleCurve {
  std::vector<Vec3> points;  // in order
  bool closed = false;
};

/// The other end of the only unused segment at a point, which is then used; -1 if there is none.
int next_point(const CurveNet& net, const std::vector<std::vector<int>>& around, int point,
               std::vector<char>& used) {
  for (const int s : around[at(point)]) {
    if (used[at(s)]) continue;
    used[at(s)] = 1;
    const auto [a, b] = net.segments[at(s)];
    return a == point ? b : a;
  }
  return -1;
}

/// Nothing if it is several curves, or if more than two segments meet at a point.
std::optional<SingleCurve> single_curve(const CurveNet& net) {
  std::vector<std::vector<int>> around(net.points.size());
  for (int s = 0; s < net.segment_count(); ++s)
    for (const int point : net.segments[at(s)]) around[at(point)].push_back(s);
  if (std::ranges::any_of(around, [](const auto& segments) { return segments.size() > 2; })) return {};
  const int first = net.segments[0][0];
  const auto end = std::ranges::find_if(around, [](const auto& segments) { return segments.size() == 1; });
  const bool closed = end == around.end();
  const bool first_is_end = closed || around[at(first)].size() == 1;
  SingleCurve curve{{}, closed};
  std::vector<char> used(net.segments.size(), 0);
  int point = first_is_end ? first : static_cast<int>(end - around.begin());
  for (size_t n = 0; n < net.points.size() && point >= 0; ++n) {
    curve.points.push_back(net.points[at(point)]);
    point = next_point(net, around, point, used);
  }
  const bool is_all = std::ranges::all_of(used, [](char u) { return u != 0; });
  return is_all && curve.points.size() == net.points.size() ? std::optional(curve) : std::nullopt;
}

Result<CurveNet> read_lines(const std::filesystem::path& file) {
  // Opening it first gives missing files the same message for all formats.
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension == ".obj" ? read_obj_lines(*bytes, file.string()) : read_lines_with_assimp(file);
}

}  // namespace

void CurveFile::describe(Describer<CurveFile>& d) {
  d.type("file", "curve", "Lines of an OBJ, glTF or other file; where they meet they are joined.");
  d.example(R"({"type": "file", "path": "rope.obj"})");
  d.parameter("path", &CurveFile::path,
              {.unit = "", .doc = "The file, relative to the scene.", .required = true, .path = true});
  d.parameter("up", &CurveFile::up,
              {.unit = "",
               .doc = "Which axis of the file points up; auto means y for glTF and z for all others.",
               .choices = {"auto", "y", "z"}});
  d.parameter("scale", &CurveFile::scale,
              {.unit = "m",
               .doc = "Length of the file's unit; 0.001 for millimetres.",
               .minimum = 0,
               .maximum = 1e6,
               .above_minimum = true});
  d.parameter("segments", &CurveFile::segments,
              {.unit = "1",
               .doc = "Pieces of equal length of a single curve; 0: one for each line of the file.",
               .minimum = 0,
               .maximum = 1000000});
}

Result<CurveNet> read_obj_lines(std::string_view text, const std::string& name) {
  return ObjLines(text, name).read();
}

Result<CurveNet> make_curve(const CurveFile& description, const std::filesystem::path& base_folder) {
  const std::filesystem::path file = base_folder / description.path;
  Result<CurveNet> net = read_lines(file);
  if (!net) return net.errors();
  const bool turn = is_y_up(file, up_axis(description.up));
  for (Vec3& point : net->points) point = description.scale * (turn ? turned_up(point) : point);
  if (description.segments == 0) return net;
  const std::optional<SingleCurve> curve = single_curve(*net);
  if (!curve)
    return failure({file.string()},
                   "only a single curve can be divided evenly, this is a net or several curves",
                   "leave \"segments\" out");
  return resampled(curve->points, curve->closed, std::max(curve->closed ? 3 : 1, description.segments));
}

}  // namespace heddle
