#include <heddle/io/gltf_check.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>

namespace heddle {

namespace {

using nlohmann::json;

constexpr int kTriangles = 4;  // mode of a primitive

/// The text of a .gltf file, or of the first chunk of a .glb file.
std::string_view json_text(std::string_view bytes) {
  constexpr size_t kHeader = 12, kChunkHeader = 8;
  if (!bytes.starts_with("glTF") || bytes.size() < kHeader + kChunkHeader) return bytes;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + kHeader, sizeof length);
  return bytes.substr(kHeader + kChunkHeader, length);
}

/// An entry of a list of the file, or nothing.
const json* entry(const json& file, const char* list, const json& index) {
  if (!index.is_number_unsigned() || !file.contains(list) || !file[list].is_array()) return nullptr;
  const auto i = index.get<size_t>();
  return i < file[list].size() && file[list][i].is_object() ? &file[list][i] : nullptr;
}

const json& primitives(const json& mesh) {
  static const json none = json::array();
  return mesh.is_object() && mesh.contains("primitives") && mesh["primitives"].is_array() ? mesh["primitives"]
                                                                                          : none;
}

bool has_weights(const json& primitive) {
  if (!primitive.is_object() || !primitive.contains("attributes")) return false;
  const json& attributes = primitive["attributes"];
  return attributes.contains("JOINTS_0") && attributes.contains("WEIGHTS_0");
}

std::string skin_problem(const json& file) {
  if (!file.contains("nodes") || !file["nodes"].is_array()) return {};
  for (size_t i = 0; i < file["nodes"].size(); ++i) {
    const json& node = file["nodes"][i];
    if (!node.is_object() || !node.contains("skin") || !node.contains("mesh")) continue;
    const json* mesh = entry(file, "meshes", node["mesh"]);
    if (!mesh) continue;
    for (const json& primitive : primitives(*mesh))
      if (!has_weights(primitive))
        return fmt::format("node {} has a skin, but its mesh has no JOINTS_0 and WEIGHTS_0", i);
  }
  return {};
}

std::optional<size_t> triangle_count(const json& file) {
  size_t count = 0;
  if (!file.contains("meshes") || !file["meshes"].is_array()) return std::nullopt;
  for (const json& mesh : file["meshes"])
    for (const json& primitive : primitives(mesh)) {
      if (!primitive.is_object() || primitive.value("mode", json(kTriangles)) != kTriangles)
        return std::nullopt;
      const json* indices =
          primitive.contains("indices") ? entry(file, "accessors", primitive["indices"]) : nullptr;
      if (!indices || !indices->contains("count") || !(*indices)["count"].is_number_unsigned())
        return std::nullopt;
      count += (*indices)["count"].get<size_t>() / 3;
    }
  return count;
}

}  // namespace

GltfFacts gltf_facts(std::string_view bytes) {
  const json file = json::parse(json_text(bytes), nullptr, false);
  if (!file.is_object()) return {};
  return {skin_problem(file), triangle_count(file)};
}

}  // namespace heddle
