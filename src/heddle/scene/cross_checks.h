#pragma once

#include <heddle/scene/scene_description.h>

namespace heddle {

/// Checks what no single type can: names that must be unique or must exist, amounts that are absurd.
/// `root` is the object the scene was read from. Unnamed cloths and obstacles get their names here.
void check_scene(SceneDescription& scene, const Value& root, Diagnostics& diagnostics);

}  // namespace heddle
