#pragma once

#include <heddle/materials/fabric.h>
#include <heddle/scene/scene_description.h>

#include <map>
#include <string>

namespace heddle {

/// The fabrics a scene may name: its own and the presets.
class FabricLibrary {
 public:
  FabricLibrary(const SceneDescription& scene, const Catalogue& catalogue, Diagnostics& diagnostics);

  /// Reports unknown names with the nearest known one; `where` is the place of the name.
  const Fabric* find(const std::string& name, const SourceLocation& where, Diagnostics& diagnostics) const;

  std::vector<std::string> names() const;

 private:
  std::map<std::string, Fabric> fabrics_;
};

}  // namespace heddle
