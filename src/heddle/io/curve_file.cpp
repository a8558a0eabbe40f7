#include <heddle/io/curve_file.h>

#include <heddle/io/atomic_file.h>
#include <heddle/io/text_scanner.h>

#include <fmt/format.h>

#include <algorithm>

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

/// Points of a single open curve in order; empty if it is something else.
std::vector<Vec3> row_of(const CurveNet& net) {
  std::vector<Vec3> row{net.points[at(net.segments[0][0])]};
  for (size_t s = 0; s < net.segments.size(); ++s) {
    if (s > 0 && net.segments[s][0] != net.segments[s - 1][1]) return {};
    row.push_back(net.points[at(net.segments[s][1])]);
  }
  return net.points.size() == net.segments.size() + 1 ? row : std::vector<Vec3>{};
}

}  // namespace

void CurveFile::describe(Describer<CurveFile>& d) {
  d.type("file", "curve", "Lines of an OBJ file; where they share vertices they are joined.");
  d.example(R"({"type": "file", "path": "rope.obj"})");
  d.parameter("path", &CurveFile::path,
              {.unit = "", .doc = "The file, relative to the scene.", .required = true, .path = true});
  d.parameter("up", &CurveFile::up,
              {.unit = "", .doc = "The axis that points up in the file.", .choices = {"z", "y"}});
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
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  Result<CurveNet> net = read_obj_lines(*bytes, file.string());
  if (!net) return net.errors();
  for (Vec3& point : net->points) {
    if (description.up == "y") point = Vec3(point[0], -point[2], point[1]);
    point *= description.scale;
  }
  if (description.segments == 0) return net;
  if (is_ring(*net)) return resampled(net->points, true, std::max(3, description.segments));
  const std::vector<Vec3> row = row_of(*net);
  if (row.empty())
    return failure({file.string()},
                   "only a single curve can be divided evenly, this is a net or several curves",
                   "leave \"segments\" out");
  return resampled(row, false, description.segments);
}

}  // namespace heddle
