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

/// Reports a name that is not among those of some things, `what`; empty names are no names.
void check_known(const std::string& name, const std::vector<std::string>& names, const std::string& what,
                 const SourceLocation& where, Diagnostics& diagnostics) {
  if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string nearest = nearest_name(name, names);
  const std::string known = names.empty() ? "the scene has none" : "there are " + quoted_list(names);
  diagnostics.error(where, "there is no " + what + " " + in_quotes(name),
                    nearest.empty() ? known : "did you mean " + in_quotes(nearest) + "?");
}

template <class Described>
void append_names(const std::vector<Described>& things, std::vector<std::string>& names) {
  for (const Described& thing : things) names.push_back(thing.name);
}

template <class Described>
void check_attachments(const std::vector<Described>& things, const Value::List& thing_texts,
                       const std::vector<std::string>& solids, Diagnostics& diagnostics) {
  for (size_t i = 0; i < things.size(); ++i) {
    const Value::List& texts = list_of(thing_texts[i], "attachments");
    for (size_t j = 0; j < things[i].attachments.size(); ++j)
      check_known(things[i].attachments[j].obstacle, solids, "obstacle or body",
                  place_of(texts[j], "obstacle"), diagnostics);
  }
}

void check_joints(const SceneDescription& scene, const Value::List& texts,
                  const std::vector<std::string>& solids, Diagnostics& diagnostics) {
  std::vector<std::string> bodies;
  append_names(scene.bodies, bodies);
  for (size_t i = 0; i < scene.joints.size(); ++i) {
    check_known(scene.joints[i].body, bodies, "body", place_of(texts[i], "body"), diagnostics);
    check_known(scene.joints[i].to, solids, "obstacle or body", place_of(texts[i], "to"), diagnostics);
    if (!scene.joints[i].body.empty() && scene.joints[i].to == scene.joints[i].body)
      diagnostics.error(place_of(texts[i], "to"), "this joint connects a body with itself",
                        "name another one, or leave \"to\" out for space");
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
  if (scene.cloths.empty() && scene.rods.empty() && scene.bodies.empty() && !diagnostics.has_errors())
    diagnostics.error(place_of(root, "cloths"), "the scene has no cloth, no rod and no body",
                      "add one to the list \"cloths\", \"rods\" or \"bodies\"");
  NamePlaces places;
  check_names(scene.cloths, cloth_texts, places, diagnostics);
  check_names(scene.rods, rod_texts, places, diagnostics);
  check_names(scene.obstacles, obstacle_texts, places, diagnostics);
  check_names(scene.bodies, list_of(root, "bodies"), places, diagnostics);
  check_names(scene.joints, list_of(root, "joints"), places, diagnostics);
  check_names(scene.coils, list_of(root, "coils"), places, diagnostics);
  name_unnamed(scene.cloths, "cloth", places);
  name_unnamed(scene.rods, "rod", places);
  name_unnamed(scene.obstacles, "obstacle", places);
  name_unnamed(scene.bodies, "body", places);
  name_unnamed(scene.joints, "joint", places);
  name_unnamed(scene.coils, "coil", places);
  note_fabric_places(scene.cloths, cloth_texts);
  std::vector<std::string> solids;
  append_names(scene.obstacles, solids);
  append_names(scene.bodies, solids);
  check_attachments(scene.cloths, cloth_texts, solids, diagnostics);
  check_attachments(scene.rods, rod_texts, solids, diagnostics);
  check_joints(scene, list_of(root, "joints"), solids, diagnostics);
  check_amounts(scene, root, diagnostics);
}

}  // namespace heddle
