#include <heddle/io/mesh_collector.h>
#include <heddle/io/mesh_import.h>
#include <heddle/io/ply_header.h>
#include <heddle/io/text_scanner.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace heddle {
namespace {

/// The numbers of the body one after the other, whatever their format.
class PlyNumbers {
 public:
  explicit PlyNumbers(const PlyHeader& header)
      : format_(header.format), bytes_(header.body), lines_(header.body), first_line_(header.lines) {}

  /// Nothing at the end of the file or at a word that is no number.
  std::optional<double> next(PlyType type) {
    return format_ == PlyHeader::Format::ascii ? next_word() : next_binary(type);
  }
  size_t bytes_left() const {
    return format_ == PlyHeader::Format::ascii ? lines_.rest_of_text().size() + line_left_ : bytes_.size();
  }
  bool is_ascii() const { return format_ == PlyHeader::Format::ascii; }
  /// Of the number read last; 0 in binary files.
  int line() const { return is_ascii() ? first_line_ + lines_.line_number() : 0; }
  const std::string& problem() const { return problem_; }

 private:
  std::optional<double> next_word() {
    std::string_view word = lines_.next_word();
    while (word.empty() && lines_.next_line()) word = lines_.next_word();
    line_left_ = lines_.rest_of_line().size();
    const std::optional<double> number = parse_number<double>(word);
    if (!number)
      problem_ = word.empty() ? "ends too early"
                              : fmt::format("expected a finite number, found \"{}\"", word.substr(0, 40));
    return number;
  }

  std::optional<double> next_binary(PlyType type) {
    const size_t size = size_of(type);
    if (bytes_.size() < size) {
      problem_ = "ends too early";
      return std::nullopt;
    }
    std::array<char, 8> raw{};
    std::memcpy(raw.data(), bytes_.data(), size);
    bytes_.remove_prefix(size);
    if (format_ == PlyHeader::Format::big_endian)
      std::reverse(raw.begin(), raw.begin() + static_cast<long>(size));
    const double number = decode(type, raw.data());
    if (std::isfinite(number)) return number;
    problem_ = "holds a number that is not finite";
    return std::nullopt;
  }

  template <class T>
  static double as(const char* raw) {
    T number;
    std::memcpy(&number, raw, sizeof number);
    return static_cast<double>(number);
  }
  static double decode(PlyType type, const char* raw) {
    switch (type) {
      case PlyType::int8:
        return as<std::int8_t>(raw);
      case PlyType::uint8:
        return as<std::uint8_t>(raw);
      case PlyType::int16:
        return as<std::int16_t>(raw);
      case PlyType::uint16:
        return as<std::uint16_t>(raw);
      case PlyType::int32:
        return as<std::int32_t>(raw);
      case PlyType::uint32:
        return as<std::uint32_t>(raw);
      case PlyType::float32:
        return as<float>(raw);
      case PlyType::float64:
        return as<double>(raw);
    }
    return 0;
  }

  PlyHeader::Format format_;
  std::string_view bytes_;
  TextScanner lines_;
  size_t line_left_ = 0;
  int first_line_;
  std::string problem_;
};

/// What the reader does with each scalar property of the vertices.
struct VertexLayout {
  std::array<int, 3> position{-1, -1, -1};
  std::array<int, 2> uv{-1, -1};
  std::vector<int> scalars;

  explicit VertexLayout(const PlyElement& element) {
    position = {element.find("x"), element.find("y"), element.find("z")};
    for (const auto& [u, v] :
         {std::pair("s", "t"), {"u", "v"}, {"texture_u", "texture_v"}, {"texture_s", "texture_t"}})
      if (uv[0] < 0 && element.find(u) >= 0 && element.find(v) >= 0) uv = {element.find(u), element.find(v)};
    for (int i = 0; i < static_cast<int>(element.properties.size()); ++i)
      if (!element.properties[static_cast<size_t>(i)].is_list && std::ranges::count(position, i) == 0 &&
          std::ranges::count(uv, i) == 0)
        scalars.push_back(i);
  }
};

/// 8-bit colours count from 0 to 255 by convention; painted attributes run from 0 to 1.
double scalar_scale(const PlyProperty& property) {
  const std::string& name = property.name;
  const bool colour = name == "red" || name == "green" || name == "blue" || name == "alpha";
  return colour && property.type == PlyType::uint8 ? 1.0 / 255.0 : 1.0;
}

class PlyReader {
 public:
  PlyReader(const PlyHeader& header, const std::string& name)
      : header_(header), numbers_(header), name_(name), mesh_(name) {}

  Result<TriangleMesh> read(Diagnostics* warnings) {
    for (const PlyElement& element : header_.elements) {
      if (element.properties.empty()) continue;
      if (element.count > 0 &&
          element.smallest_size(numbers_.is_ascii()) > numbers_.bytes_left() / element.count)
        return failure({name_},
                       fmt::format("ends too early: {} {} elements do not fit into the {} bytes left",
                                   element.count, element.name, numbers_.bytes_left()),
                       "the file is truncated or damaged: copy or export it again");
      const std::string problem = read_element(element);
      if (!problem.empty())
        return failure({name_, numbers_.line()}, problem,
                       "the file is truncated or damaged: copy or export it again");
    }
    return mesh_.finish(warnings);
  }

 private:
  using Values = std::vector<std::vector<double>>;  // per property: one number, or the list

  std::string read_element(const PlyElement& element) {
    if (element.name == "vertex") return read_vertices(element);
    if (element.name == "face") return read_faces(element);
    if (element.name == "tristrips") return "triangle strips are not read; export the mesh as faces";
    Values values;
    for (std::uint64_t i = 0; i < element.count; ++i)
      if (!read_values(element, values)) return numbers_.problem();
    return {};
  }

  bool read_values(const PlyElement& element, Values& values) {
    values.resize(element.properties.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      values[i].clear();
      double count = 1;
      if (property.is_list) {
        const std::optional<double> length = numbers_.next(property.count_type);
        if (!length) return false;
        count = *length;
      }
      // Numbers are appended one by one: a count that lies ends with the file, not with the memory.
      for (double k = 0; k < count; ++k) {
        const std::optional<double> number = numbers_.next(property.type);
        if (!number) return false;
        values[i].push_back(*number);
      }
    }
    return true;
  }

  std::string read_vertices(const PlyElement& element) {
    const VertexLayout layout(element);
    for (const int place : layout.position)
      if (place < 0 || element.properties[static_cast<size_t>(place)].is_list)
        return "the vertices need the properties x, y and z";
    std::vector<std::vector<double>> scalars(layout.scalars.size());
    Values values;
    const auto value = [&](int place) { return values[static_cast<size_t>(place)][0]; };
    for (std::uint64_t i = 0; i < element.count; ++i) {
      if (!read_values(element, values)) return numbers_.problem();
      mesh_.add_vertex({value(layout.position[0]), value(layout.position[1]), value(layout.position[2])});
      if (layout.uv[0] >= 0) mesh_.mesh.uv.emplace_back(value(layout.uv[0]), value(layout.uv[1]));
      for (size_t k = 0; k < scalars.size(); ++k) scalars[k].push_back(value(layout.scalars[k]));
    }
    for (size_t k = 0; k < scalars.size(); ++k) {
      const PlyProperty& property = element.properties[static_cast<size_t>(layout.scalars[k])];
      for (double& scalar : scalars[k]) scalar *= scalar_scale(property);
      mesh_.mesh.vertex_scalars[property.name] = std::move(scalars[k]);
    }
    return {};
  }

  std::string read_faces(const PlyElement& element) {
    const int named = element.find("vertex_indices");
    const int place = named >= 0 ? named : element.find("vertex_index");
    if (place < 0 || !element.properties[static_cast<size_t>(place)].is_list)
      return "the faces need a list \"vertex_indices\"";
    const int uv_place = mesh_.mesh.uv.empty() ? element.find("texcoord") : -1;
    Values values;
    for (std::uint64_t i = 0; i < element.count; ++i) {
      if (!read_values(element, values)) return numbers_.problem();
      const std::vector<double>& indices = values[static_cast<size_t>(place)];
      std::vector<int> corners;
      for (const double index : indices)
        corners.push_back(index == std::floor(index) && std::abs(index) < 2e9 ? static_cast<int>(index) : -1);
      const std::vector<Vec2> uvs = uv_place < 0
                                        ? std::vector<Vec2>()
                                        : corner_uvs(values[static_cast<size_t>(uv_place)], corners.size());
      const std::string problem = mesh_.add_polygon(corners, uvs, {});
      if (!problem.empty()) return fmt::format("face {}: {}", i + 1, problem);
    }
    return {};
  }

  static std::vector<Vec2> corner_uvs(const std::vector<double>& numbers, size_t corners) {
    std::vector<Vec2> uvs;
    if (numbers.size() != 2 * corners) return uvs;
    for (size_t i = 0; i < corners; ++i) uvs.emplace_back(numbers[2 * i], numbers[2 * i + 1]);
    return uvs;
  }

  const PlyHeader& header_;
  PlyNumbers numbers_;
  std::string name_;
  MeshCollector mesh_;
};

}  // namespace

Result<TriangleMesh> read_ply_bytes(std::string_view bytes, const std::string& name, Diagnostics* warnings) {
  const Result<PlyHeader> header = read_ply_header(bytes, name);
  if (!header) return header.errors();
  return PlyReader(*header, name).read(warnings);
}

}  // namespace heddle
