#include <heddle/scene/rod_description.h>

namespace heddle {

void ClampDescription::describe(Describer<ClampDescription>& d) {
  d.type("clamp", "part", "An end of a rod that is held with its direction and twist, or moved and turned.");
  d.example(R"({"end": "start", "turn": {"times": [0, 10], "values": [0, 3600]}})");
  d.parameter("end", &ClampDescription::end,
              {.unit = "", .doc = "Which end of the rod.", .choices = {"start", "end"}});
  d.parameter("turn", &ClampDescription::turn,
              {.unit = "deg", .doc = "How far it is turned about the direction that the rod has there."});
  d.parameter(
      "torque", &ClampDescription::torque,
      {.unit = "N m",
       .doc = "Moment about the direction that the rod has there, instead of \"turn\": the end is free to "
              "twist and is driven by it.",
       .minimum = -1e9,
       .maximum = 1e9});
  d.parameter("motion", &ClampDescription::motion,
              {.unit = "", .doc = "How it moves besides, relative to where it starts; without it it stays."});
  d.parameter("centre", &ClampDescription::centre,
              {.unit = "m", .doc = "Centre of the rotation of the motion; without it the end of the rod."});
  d.parameter("release", &ClampDescription::release,
              {.unit = "s", .doc = "After this time the end is free.", .minimum = 0});
}

namespace {

void describe_shape(Describer<RodDescription>& d) {
  d.parameter("translation", &RodDescription::translation,
              {.unit = "m", .doc = "Moves the curve, after scale and rotation."});
  d.parameter("rotation", &RodDescription::rotation,
              {.unit = "deg", .doc = "Turns the curve about its origin: axis times angle."});
  d.parameter("scale", &RodDescription::scale,
              {.doc = "Enlarges the curve; 0.001 for points in millimetres.",
               .minimum = 0,
               .maximum = 1e6,
               .above_minimum = true});
  d.parameter("velocity", &RodDescription::velocity, {.unit = "m/s", .doc = "Velocity at the start."});
  d.parameter("twist", &RodDescription::twist,
              {.unit = "deg", .doc = "How far the rod is twisted from end to end at the start."});
  d.parameter("rest", &RodDescription::rest,
              {.unit = "",
               .doc = "The shape that it wants to have: that of the curve, or a straight one.",
               .choices = {"shape", "straight"}});
  d.parameter("curvature", &RodDescription::curvature,
              {.unit = "1/m",
               .doc = "Curvature that it wants to have, about its first and second director, and twist, the "
                      "same everywhere; instead of \"rest\".",
               .minimum = -1e5,
               .maximum = 1e5});
}

}  // namespace

void RodDescription::describe(Describer<RodDescription>& d) {
  d.type("rod", "part",
         "A rope, thread or wire, or a net of them: a curve, what it is made of, and what holds it.");
  d.example(
      R"({"name": "rope", "curve": {"type": "straight"}, "material": {"type": "elastic"}, "clamps": [{}]})");
  d.parameter("name", &RodDescription::name,
              {.unit = "", .doc = "Unique name, used for output files; without it rod, rod2 and so on."});
  d.parameter("curve", &RodDescription::curve,
              {.unit = "", .doc = "Where it starts.", .required = true, .category = "curve"});
  d.parameter("material", &RodDescription::material,
              {.unit = "", .doc = "What it is made of; without it a soft cord.", .category = "rod_material"});
  d.parameter("model", &RodDescription::model,
              {.unit = "", .doc = "How it is simulated; without it twist_angle.", .category = "rod_model"});
  describe_shape(d);
  d.parameter("clamps", &RodDescription::clamps,
              {.unit = "", .doc = "Ends that are held with their direction."});
  d.parameter("attachments", &RodDescription::attachments,
              {.unit = "", .doc = "Nodes tied to obstacles or bodies; \"vertices\" are the nodes."});
  d.parameter("pins", &RodDescription::pins,
              {.unit = "", .doc = "Nodes that are held or moved, free to turn; \"vertices\" are the nodes."});
  d.parameter(
      "magnet", &RodDescription::magnet,
      {.unit = "", .doc = "Makes it a permanent magnet, magnetised along d1, d2 and its own direction."});
}

}  // namespace heddle
