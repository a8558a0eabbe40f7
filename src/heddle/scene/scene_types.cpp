#include <heddle/scene/scene_description.h>
#include <heddle/scene/scene_types.h>

namespace heddle {

namespace {

/// What Animated reads, described for its documentation.
struct KeyFrames {
  std::vector<double> times;
  std::vector<double> values;
  std::string interpolation = "linear";
  static void describe(Describer<KeyFrames>& d) {
    d.type("key_frames", "part", "Values at given times; may stand for the value of any animated parameter.");
    d.example(
        R"({"times": [0, 0.5, 2], "values": [[0, 0, 0], [0, 0, 1], [2, 0, 1]], "interpolation": "smooth"})");
    d.parameter("times", &KeyFrames::times,
                {.unit = "s", .doc = "Ascending times of the keys.", .required = true});
    d.parameter(
        "values", &KeyFrames::values,
        {.unit = "", .doc = "One value for each time, of the parameter's own kind.", .required = true});
    d.parameter("interpolation", &KeyFrames::interpolation,
                {.unit = "",
                 .doc = "\"linear\" goes straight from key to key, \"smooth\" rests at every key.",
                 .choices = {"linear", "smooth"}});
  }
};

}  // namespace

void add_scene_types(Catalogue& catalogue) {
  for (const TypeDescription* type :
       {&description_of<SceneDescription>(), &description_of<ClothDescription>(),
        &description_of<ObstacleDescription>(), &description_of<PinDescription>(),
        &description_of<AttachmentDescription>(), &description_of<RegionDescription>(),
        &description_of<PaintDescription>(), &description_of<Selection>(),
        &description_of<OutputDescription>(), &description_of<Motion>(), &description_of<KeyFrames>()})
    if (!catalogue.find(type->category, type->name)) catalogue.add(*type);
}

}  // namespace heddle
