#include <heddle/io/ply_header.h>
#include <heddle/io/text_scanner.h>

#include <fmt/format.h>

namespace heddle {
namespace {

std::optional<PlyType> type_named(std::string_view name) {
  if (name == "char" || name == "int8") return PlyType::int8;
  if (name == "uchar" || name == "uint8") return PlyType::uint8;
  if (name == "short" || name == "int16") return PlyType::int16;
  if (name == "ushort" || name == "uint16") return PlyType::uint16;
  if (name == "int" || name == "int32") return PlyType::int32;
  if (name == "uint" || name == "uint32") return PlyType::uint32;
  if (name == "float" || name == "float32") return PlyType::float32;
  if (name == "double" || name == "float64") return PlyType::float64;
  return std::nullopt;
}

/// Each function reads the rest of one header line and returns what is wrong with it, or nothing.
std::string read_format(TextScanner& lines, PlyHeader& header) {
  const std::string_view format = lines.next_word();
  if (format == "ascii")
    header.format = PlyHeader::Format::ascii;
  else if (format == "binary_little_endian")
    header.format = PlyHeader::Format::little_endian;
  else if (format == "binary_big_endian")
    header.format = PlyHeader::Format::big_endian;
  else
    return fmt::format("unknown format \"{}\"", format.substr(0, 40));
  return {};
}

std::string read_element(TextScanner& lines, PlyHeader& header) {
  const std::string_view name = lines.next_word();
  const std::string_view word = lines.next_word();
  const std::optional<std::uint64_t> count = parse_number<std::uint64_t>(word);
  if (name.empty() || !count)
    return fmt::format("expected \"element NAME COUNT\", found the count \"{}\"", word.substr(0, 40));
  header.elements.push_back({std::string(name), *count, {}});
  return {};
}

std::string read_property(TextScanner& lines, PlyHeader& header) {
  if (header.elements.empty()) return "a property stands before the first element";
  PlyProperty property;
  std::string_view word = lines.next_word();
  if (word == "list") {
    property.is_list = true;
    const std::optional<PlyType> count_type = type_named(lines.next_word());
    if (!count_type || *count_type == PlyType::float32 || *count_type == PlyType::float64)
      return "the count of a list must have a whole-number type";
    property.count_type = *count_type;
    word = lines.next_word();
  }
  const std::optional<PlyType> type = type_named(word);
  if (!type) return fmt::format("unknown type \"{}\" of a property", word.substr(0, 40));
  property.type = *type;
  property.name = lines.next_word();
  if (property.name.empty()) return "a property needs a name";
  header.elements.back().properties.push_back(std::move(property));
  return {};
}

std::string read_header_line(std::string_view keyword, TextScanner& lines, PlyHeader& header) {
  if (keyword == "format") return read_format(lines, header);
  if (keyword == "element") return read_element(lines, header);
  if (keyword == "property") return read_property(lines, header);
  if (keyword.empty() || keyword == "comment" || keyword == "obj_info") return {};
  return fmt::format("unknown header line \"{}\"", keyword.substr(0, 40));
}

}  // namespace

size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
      return 1;
    case PlyType::int16:
    case PlyType::uint16:
      return 2;
    case PlyType::int32:
    case PlyType::uint32:
    case PlyType::float32:
      return 4;
    case PlyType::float64:
      return 8;
  }
  return 1;
}

int PlyElement::find(std::string_view property) const {
  for (size_t i = 0; i < properties.size(); ++i)
    if (properties[i].name == property) return static_cast<int>(i);
  return -1;
}

size_t PlyElement::smallest_size(bool ascii) const {
  size_t size = 0;
  for (const PlyProperty& property : properties)
    size += ascii ? 1 : size_of(property.is_list ? property.count_type : property.type);
  return size;
}

Result<PlyHeader> read_ply_header(std::string_view bytes, const std::string& name) {
  TextScanner lines(bytes);
  if (!lines.next_line() || lines.next_word() != "ply")
    return failure({name}, "is not a PLY file: its first line is not \"ply\"");
  PlyHeader header;
  bool has_format = false;
  while (lines.next_line()) {
    const std::string_view keyword = lines.next_word();
    if (keyword == "end_header") {
      header.body = lines.rest_of_text();
      header.lines = lines.line_number();
      if (!has_format) return failure({name, header.lines}, "the header names no format");
      return header;
    }
    has_format |= keyword == "format";
    const std::string problem = read_header_line(keyword, lines, header);
    if (!problem.empty()) return failure({name, lines.line_number()}, problem);
  }
  return failure({name}, "ends inside its header", "the file is truncated: copy or export it again");
}

}  // namespace heddle
