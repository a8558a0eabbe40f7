#pragma once

#include <heddle/io/bytes.h>
#include <heddle/math/types.h>

#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// A glTF 2.0 file under construction: the JSON tree, and its one binary buffer filled through accessors.
class GltfDocument {
 public:
  using Json = nlohmann::ordered_json;

  explicit GltfDocument(const std::string& generator);

  /// Each returns the index of the new accessor.
  int add_positions(const std::vector<Vec3f>& values);  // with the bounds that glTF demands
  int add_vectors(const std::vector<Vec3f>& values);
  int add_uvs(const std::vector<Eigen::Vector2f>& values);
  int add_triangles(const std::vector<Triangle>& triangles);
  int add_lines(const std::vector<std::array<std::int32_t, 2>>& lines);
  int add_times(const std::vector<float>& seconds);
  int add_numbers(const std::vector<float>& values);
  int add_rotations(const std::vector<Eigen::Vector4f>& values);  // x, y, z, w
  int add_translations(const std::vector<Vec3f>& values);

  /// Appends to an array of the root ("nodes", "meshes", …) and returns the index.
  int add(const std::string& array, Json item);

  /// The bytes of a .glb file; nothing if they exceed the 4 GiB of that format.
  std::optional<std::string> take_glb();

  Json root;

 private:
  template <class T>
  int add_accessor(const std::vector<T>& values, const char* type, std::optional<int> buffer_target,
                   bool with_bounds);
  template <class T>
  int add_indices(const std::vector<T>& elements);
  int add_accessor_json(size_t count, size_t offset, const char* type, int component,
                        std::optional<int> buffer_target, Json bounds);

  ByteWriter buffer_;
};

}  // namespace heddle
