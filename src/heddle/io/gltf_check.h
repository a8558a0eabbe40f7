#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

/// What a glTF file says about itself, for faults that its reader does not survive or passes over in silence.
struct GltfFacts {
  std::string problem;                   // empty if there is none
  std::optional<std::size_t> triangles;  // of all meshes; none if they are not all plain lists of triangles
};

/// `bytes` of a .gltf or .glb file. What is no glTF at all is left to the reader.
GltfFacts gltf_facts(std::string_view bytes);

}  // namespace heddle
