#pragma once

#include <heddle/scene/load.h>
#include <heddle/sim/simulation.h>

#include <filesystem>
#include <string_view>

namespace heddle {

/// Turns a description into a simulation that is ready to run; nothing reads the description afterwards.
/// Collects all errors; `warnings` receives what is odd but possible.
Result<Simulation> build(const SceneDescription& scene, const Catalogue& catalogue, Diagnostics& warnings);

/// For load_scene: what `build` would find in the parts of a scene that could be read, so that a user sees
/// all mistakes at once. The catalogue must outlive it.
SceneCheck check_parts(const Catalogue& catalogue);

/// The same straight from a scene file or its text, for programs that need no more than the simulation;
/// warnings are dropped. `name` stands for the file in messages and is where relative names in the text start
/// from.
Result<Simulation> build_file(const std::filesystem::path& file);
Result<Simulation> build_text(std::string_view text, const std::filesystem::path& name = "scene.json");

}  // namespace heddle
