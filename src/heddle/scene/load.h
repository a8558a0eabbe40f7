#pragma once

#include <heddle/scene/scene_description.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The newest version of the scene language this program reads: the key "heddle" of a scene.
inline constexpr int kSceneFormatVersion = 1;

struct LoadedScene {
  SceneDescription description;
  Diagnostics warnings;
  std::vector<std::filesystem::path> files;  // the scene first, then all it includes
};

/// Finds more errors in a scene that cannot be built because of others: it gets what could be read, each
/// cloth without the members that are wrong, and no cloth without a mesh.
using SceneCheck = std::function<void(const SceneDescription&, Diagnostics&)>;

/// Reads a scene file and all it includes; every error of all files is reported in one go, ordered by place.
/// Included files are merged in: members of "fabrics" by name, where the including file wins; the lists
/// "cloths", "obstacles" and "forces" joined, included ones first; of all else the including file's value
/// counts. A later include wins over an earlier one, and a file that is included several times counts once.
/// `check` is asked only if there are errors.
Result<LoadedScene> load_scene(const std::filesystem::path& file, const Catalogue& catalogue,
                               const SceneCheck& check = {});

/// The same for text in memory; `file` is used in messages and to find includes.
Result<LoadedScene> load_scene_text(std::string_view text, const std::filesystem::path& file,
                                    const Catalogue& catalogue, const SceneCheck& check = {});

/// Texts of scene files by their names as seen from the scene, see name_beside.
using SceneTexts = std::map<std::string, std::string>;

/// The same for a scene whose texts were kept: the scene and all it includes come from there, and only
/// includes that are missing there are read from files.
Result<LoadedScene> load_scene_texts(const SceneTexts& texts, const std::filesystem::path& file,
                                     const Catalogue& catalogue);

/// The name of a file as seen from the folder of the scene; stays the same wherever the scene is run from.
std::string name_beside(const std::filesystem::path& scene, const std::filesystem::path& file);

/// A file name written in a scene, relative to the folder of the file in which it stands.
std::filesystem::path resolve_path(const std::string& name, const SourceLocation& where);

}  // namespace heddle
