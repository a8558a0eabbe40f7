#include <heddle/io/gltf_document.h>

#include <limits>

namespace heddle {
namespace {

constexpr int kFloat = 5126;
constexpr int kUnsignedInt = 5125;
constexpr int kVertexData = 34962;
constexpr int kIndexData = 34963;

using Json = GltfDocument::Json;

/// "min" and "max" per component.
Json bounds_of(const float* numbers, size_t count, size_t components) {
  std::vector<float> low(numbers, numbers + components), high = low;
  for (size_t i = 0; i < count * components; ++i) {
    low[i % components] = std::min(low[i % components], numbers[i]);
    high[i % components] = std::max(high[i % components], numbers[i]);
  }
  return {{"min", low}, {"max", high}};
}

}  // namespace

GltfDocument::GltfDocument(const std::string& generator) {
  root["asset"] = {{"generator", generator}, {"version", "2.0"}};
}

int GltfDocument::add(const std::string& array, Json item) {
  Json& list = root[array];
  list.push_back(std::move(item));
  return static_cast<int>(list.size()) - 1;
}

int GltfDocument::add_accessor_json(size_t count, size_t offset, const char* type, int component,
                                    std::optional<int> buffer_target, Json bounds) {
  Json view{{"buffer", 0}, {"byteOffset", offset}, {"byteLength", buffer_.size() - offset}};
  if (buffer_target) view["target"] = *buffer_target;
  Json accessor{{"bufferView", add("bufferViews", std::move(view))},
                {"componentType", component},
                {"count", count},
                {"type", type}};
  if (!bounds.is_null()) accessor.update(bounds);
  return add("accessors", std::move(accessor));
}

template <class T>
int GltfDocument::add_accessor(const std::vector<T>& values, const char* type,
                               std::optional<int> buffer_target, bool with_bounds) {
  HEDDLE_CHECK(!values.empty());
  const size_t offset = buffer_.size();
  buffer_.put_all(values);
  const auto* numbers = reinterpret_cast<const float*>(values.data());
  return add_accessor_json(
      values.size(), offset, type, kFloat, buffer_target,
      with_bounds ? bounds_of(numbers, values.size(), sizeof(T) / sizeof(float)) : Json());
}

int GltfDocument::add_positions(const std::vector<Vec3f>& values) {
  return add_accessor(values, "VEC3", kVertexData, true);
}
int GltfDocument::add_vectors(const std::vector<Vec3f>& values) {
  return add_accessor(values, "VEC3", kVertexData, false);
}
int GltfDocument::add_uvs(const std::vector<Eigen::Vector2f>& values) {
  return add_accessor(values, "VEC2", kVertexData, false);
}
int GltfDocument::add_times(const std::vector<float>& seconds) {
  return add_accessor(seconds, "SCALAR", std::nullopt, true);
}
int GltfDocument::add_numbers(const std::vector<float>& values) {
  return add_accessor(values, "SCALAR", std::nullopt, false);
}
int GltfDocument::add_rotations(const std::vector<Eigen::Vector4f>& values) {
  return add_accessor(values, "VEC4", std::nullopt, false);
}
int GltfDocument::add_translations(const std::vector<Vec3f>& values) {
  return add_accessor(values, "VEC3", std::nullopt, false);
}

template <class T>
int GltfDocument::add_indices(const std::vector<T>& elements) {
  HEDDLE_CHECK(!elements.empty());
  const size_t offset = buffer_.size();
  buffer_.put_all(elements);
  return add_accessor_json(elements[0].size() * elements.size(), offset, "SCALAR", kUnsignedInt, kIndexData,
                           Json());
}

int GltfDocument::add_triangles(const std::vector<Triangle>& triangles) {
  return add_indices(triangles);
}
int GltfDocument::add_lines(const std::vector<std::array<std::int32_t, 2>>& lines) {
  return add_indices(lines);
}

std::optional<std::string> GltfDocument::take_glb() {
  buffer_.align(4);
  if (buffer_.size() > 0) root["buffers"] = Json::array({{{"byteLength", buffer_.size()}}});
  ByteWriter json;
  json.put_bytes(root.dump(-1, ' ', false, Json::error_handler_t::replace));
  json.align(4, ' ');
  const size_t total = 12 + 8 + json.size() + 8 + buffer_.size();
  if (total > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  ByteWriter out;
  out.put_bytes("glTF");
  out.put<std::uint32_t>(2);
  out.put(static_cast<std::uint32_t>(total));
  out.put(static_cast<std::uint32_t>(json.size()));
  out.put_bytes("JSON");
  out.put_bytes(json.bytes());
  out.put(static_cast<std::uint32_t>(buffer_.size()));
  out.put_bytes(std::string_view("BIN\0", 4));
  out.put_bytes(buffer_.bytes());
  return out.take();
}

}  // namespace heddle
