#pragma once

#include <heddle/sim/build.h>

#include <string>
#include <string_view>

namespace heddle {

/// Builds a scene of the folder `scenes`, which is part of the library together with the files it names.
/// `name` is without ending; `settings` replaces the scene's duration, and may add keys behind it.
Result<Simulation> build_scene_file(std::string_view name, const std::string& settings);

}  // namespace heddle
