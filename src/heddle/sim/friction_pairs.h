#pragma once

#include <heddle/scene/scene_description.h>
#include <heddle/sim/fabric_library.h>
#include <heddle/sim/model.h>

namespace heddle {

/// Materials are numbered obstacles first, then the fabrics of the model.
inline int friction_material_of_fabric(const Model& model, int material) {
  return static_cast<int>(model.obstacles.size()) + material;
}

/// The pairs of materials that the scene names; those that nothing is made of are left out.
FrictionTable make_friction_table(const SceneDescription& scene, const Model& model);

/// Reports names that are neither fabrics nor obstacles, and pairs of obstacles.
void check_frictions(const SceneDescription& scene, const FabricLibrary& fabrics, Diagnostics& diagnostics);

}  // namespace heddle
