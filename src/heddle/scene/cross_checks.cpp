#include <heddle/core/text.h>
#include <heddle/scene/cross_checks.h>

#include <algorithm>
#include <map>

namespace heddle {

namespace {

constexpr double kMostFrames = 1e6;
constexpr double kHeaviestGravity = 100;  // m/s2
constexpr size_t kLongestName = 100;

using NamePlaces = std::map<std::string, SourceLocation>;

/// Where the value of `key` stands in `object`, or else where the object stands.
SourceLocation place_of(const Value& object, std::string_view key) {
  const Value* value = object.is_object() ? object.find(key) : nullptr;
  return value ? value->where : object.where;
}

/// Names become file names.
bool is_good_name(const std::string& name) {
  const bool printable = std::none_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F ||
           std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos;
  });
  return printable && name.size() <= kLongestName && name.front() != '.' && name.front() != ' ' &&
         name.back() != ' ';
}

void check_name(const std::string& name, const SourceLocation& where, NamePlaces& places,
                Diagnostics& diagnostics) {
  if (name.empty()) return;
  if (!is_good_name(name))
    diagnostics.error(where, in_quotes(name) + " cannot be a name, since names become file names",
                      "use letters, digits, \"_\" and \"-\"");
  const auto [first, is_new] = places.emplace(name, where);
  if (!is_new)
    diagnostics.error(where, "duplicate name " + in_quotes(name),
                      "it was first given at " + to_string(first->second) + "; rename one of them");
}

/// The parts of a list in the text; the description's vectors have the same order.
const Value::List& list_of(const Value& object, std::string_view key) {
  static const Value::List empty;
  const Value* value = object.is_object() ? object.find(key) : nullptr;
  return value && value->is_list() ? value->list() : empty;
}

template <class Described>
void check_names(const std::vector<Described>& things, const Value::List& texts, NamePlaces& places,
                 Diagnostics& diagnostics) {
  for (size_t i = 0; i < things.size(); ++i)
    check_name(things[i].name, place_of(texts[i], "name"), places, diagnostics);
}

template <class Described>
void name_unnamed(std::vector<Described>& things, const std::string& stem, NamePlaces& places) {
  int number = 1;
  for (Described& thing : things) {
    while (thing.name.empty()) {
      const std::string name = number == 1 ? stem : stem + std::to_string(number);
      ++number;
      if (places.emplace(name, thing.where).second) thing.name = name;
    }
  }
}

/// Which fabrics there are is known to the builder only, so the places of the names are kept for it.
void note_fabric_places(std::vector<ClothDescription>& cloths, const Value::List& texts) {
  for (size_t i = 0; i < cloths.size(); ++i) {
    cloths[i].fabric_where = place_of(texts[i], "fabric");
    const Value::List& regions = list_of(texts[i], "regions");
    for (size_t j = 0; j < cloths[i].regions.size(); ++j)
      cloths[i].regions[j].fabric_where = place_of(regions[j], "fabric");
  }
}

void check_attachments(const SceneDescription& scene, const Value::List& cloth_texts,
                       Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const ObstacleDescription& obstacle : scene.obstacles) names.push_back(obstacle.name);
  for (size_t i = 0; i < scene.cloths.size(); ++i) {
    const Value::List& texts = list_of(cloth_texts[i], "attachments");
    for (size_t j = 0; j < scene.cloths[i].attachments.size(); ++j) {
      const std::string& name = scene.cloths[i].attachments[j].obstacle;
      if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) continue;
      const std::string nearest = nearest_name(name, names);
      const std::string known =
          names.empty() ? "the scene has no obstacles" : "the obstacles are " + quoted_list(names);
      diagnostics.error(place_of(texts[j], "obstacle"), "there is no obstacle " + in_quotes(name),
                        nearest.empty() ? known : "did you mean " + in_quotes(nearest) + "?");
    }
  }
}

void check_amounts(const SceneDescription& scene, const Value& root, Diagnostics& diagnostics) {
  const double frames = scene.duration * scene.frame_rate;
  if (frames > kMostFrames)
    diagnostics.error(place_of(root, root.find("duration") ? "duration" : "frame_rate"),
                      number_text(scene.duration) + " s at " + number_text(scene.frame_rate) +
                          " frames a second are more than " + number_text(kMostFrames) + " frames",
                      "lower \"duration\" or \"frame_rate\"");
  else if (frames > 0 && frames < 1)
    diagnostics.warning(place_of(root, root.find("duration") ? "duration" : "frame_rate"),
                        "the scene is shorter than one frame", "raise \"duration\" or \"frame_rate\"");
  if (scene.gravity.norm() > kHeaviestGravity)
    diagnostics.warning(place_of(root, "gravity"), "gravity is more than ten times that of the Earth",
                        "lengths are in metres, so the Earth's is [0, 0, -9.81]");
}

}  // namespace

void check_scene(SceneDescription& scene, const Value& root, Diagnostics& diagnostics) {
  const Value::List& cloth_texts = list_of(root, "cloths");
  const Value::List& obstacle_texts = list_of(root, "obstacles");
  const Value::List& rod_texts = list_of(root, "rods");
  // After other errors a missing cloth is often only a misspelt key.
  if (scene.cloths.empty() && scene.rods.empty() && !diagnostics.has_errors())
    diagnostics.error(place_of(root, "cloths"), "the scene has no cloth and no rod",
                      "add one to the list \"cloths\" or \"rods\"");
  NamePlaces places;
  check_names(scene.cloths, cloth_texts, places, diagnostics);
  check_names(scene.rods, rod_texts, places, diagnostics);
  check_names(scene.obstacles, obstacle_texts, places, diagnostics);
  name_unnamed(scene.cloths, "cloth", places);
  name_unnamed(scene.rods, "rod", places);
  name_unnamed(scene.obstacles, "obstacle", places);
  note_fabric_places(scene.cloths, cloth_texts);
  check_attachments(scene, cloth_texts, diagnostics);
  check_amounts(scene, root, diagnostics);
}

}  // namespace heddle
