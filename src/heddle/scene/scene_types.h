#pragma once

#include <heddle/core/description.h>

namespace heddle {

/// Adds the parts every scene is made of (scene, cloth, pin, …) under the category "part", so that they can
/// be described like all other types. Those already there are left alone.
void add_scene_types(Catalogue& catalogue);

}  // namespace heddle
