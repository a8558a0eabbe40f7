#include <heddle/scene/body_description.h>

namespace heddle {

void MagnetDescription::describe(Describer<MagnetDescription>& d) {
  d.type("magnet", "part", "What makes a body, an obstacle, a cloth or a rod magnetic.");
  d.example(R"({"kind": "induced", "susceptibility": 700, "saturation": 2})");
  d.parameter(
      "kind", &MagnetDescription::kind,
      {.unit = "",
       .doc = "How it answers a field: \"permanent\" keeps its magnetisation, \"induced\" is iron and "
              "all weaker materials, \"superconductor\" expels the field.",
       .choices = {"permanent", "induced", "superconductor"}});
  d.parameter("remanence", &MagnetDescription::remanence,
              {.unit = "T",
               .doc = "Of a permanent magnet, in the axes of its shape; of a cloth along weft, warp and "
                      "normal, of a rod along its directors d1, d2 and d3, its own direction.",
               .minimum = -10,
               .maximum = 10});
  d.parameter("susceptibility", &MagnetDescription::susceptibility,
              {.doc = "Of an induced one: above 0 it is attracted (iron 700), from -1 to 0 repelled.",
               .minimum = -1,
               .maximum = 1e6});
  d.parameter("saturation", &MagnetDescription::saturation,
              {.unit = "T",
               .doc = "The most that an induced one can be magnetised; 0 for no limit.",
               .minimum = 0,
               .maximum = 10});
  d.parameter(
      "cells", &MagnetDescription::cells,
      {.unit = "",
       .doc = "Into how many cells its bounding box is cut at least; without it one for a ball, else 8 "
              "for each cm3, but 8 to 512.",
       .minimum = 1,
       .maximum = 100000});
}

namespace {

void describe_start(Describer<BodyDescription>& d) {
  d.parameter("translation", &BodyDescription::translation,
              {.unit = "m", .doc = "Where its origin starts, after the rotation."});
  d.parameter("rotation", &BodyDescription::rotation,
              {.unit = "deg", .doc = "Turns it about its origin at the start: axis times angle."});
  d.parameter("velocity", &BodyDescription::velocity,
              {.unit = "m/s", .doc = "Velocity of its centre of mass at the start."});
  d.parameter("angular_velocity", &BodyDescription::angular_velocity,
              {.unit = "deg/s", .doc = "How it turns at the start: axis times speed."});
}

void describe_touch(Describer<BodyDescription>& d) {
  d.parameter("friction", &BodyDescription::friction,
              {.doc = "Coefficient of friction; that of a pair is the geometric mean of both.",
               .minimum = 0,
               .maximum = 10});
  d.parameter("stiction", &BodyDescription::stiction,
              {.doc = "Friction at rest, relative to that of sliding.", .minimum = 1, .maximum = 10});
  d.parameter(
      "restitution", &BodyDescription::restitution,
      {.doc = "Share of its speed that it keeps when it bounces off a solid; that of two bodies is the "
              "geometric mean of both.",
       .minimum = 0,
       .maximum = 1});
  d.parameter("damping", &BodyDescription::damping,
              {.unit = "1/s", .doc = "Rate at which its velocity fades.", .minimum = 0, .maximum = 1e4});
  d.parameter("angular_damping", &BodyDescription::angular_damping,
              {.unit = "1/s", .doc = "Rate at which its turning fades.", .minimum = 0, .maximum = 1e4});
}

}  // namespace

void BodyDescription::describe(Describer<BodyDescription>& d) {
  d.type("body", "part", "A rigid body: it falls, collides, and is pushed by cloth and rods.");
  d.example(
      R"({"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "density": 300, "translation": [0, 0, 1]})");
  d.parameter(
      "name", &BodyDescription::name,
      {.unit = "", .doc = "Unique name, used by attachments and joints; without it body, body2 and so on."});
  d.parameter("shape", &BodyDescription::shape,
              {.unit = "", .doc = "A solid shape, not a plane; or give \"mesh\".", .category = "shape"});
  d.parameter("mesh", &BodyDescription::mesh, {.unit = "", .doc = "A closed mesh.", .category = "mesh"});
  d.parameter(
      "density", &BodyDescription::density,
      {.unit = "kg/m3", .doc = "Of its material.", .minimum = 0, .maximum = 1e5, .above_minimum = true});
  d.parameter(
      "mass", &BodyDescription::mass,
      {.unit = "kg", .doc = "Instead of the density.", .minimum = 0, .maximum = 1e9, .above_minimum = true});
  describe_start(d);
  describe_touch(d);
  d.parameter("magnet", &BodyDescription::magnet, {.unit = "", .doc = "Makes it magnetic."});
  d.validate([](const BodyDescription& b, const SourceLocation& at, Diagnostics& diagnostics) {
    if (static_cast<bool>(b.shape) == static_cast<bool>(b.mesh))
      diagnostics.error(at, R"(a body needs either "shape" or "mesh")",
                        b.shape ? "remove one of them" : "give one of them");
  });
}

void MotorDescription::describe(Describer<MotorDescription>& d) {
  d.type("motor", "part", "Drives a hinge or a slider to places as told.");
  d.example(R"({"place": {"times": [0, 2], "values": [0, 180]}, "strength": 5})");
  d.parameter("place", &MotorDescription::place,
              {.unit = "deg, m", .doc = "Angle of a hinge, or way of a slider, from where it starts."});
  d.parameter("strength", &MotorDescription::strength,
              {.unit = "N m, N", .doc = "The most that it gives.", .minimum = 0, .maximum = 1e9});
}

void JointDescription::describe(Describer<JointDescription>& d) {
  d.type("joint", "part", "Connects a body with another body, an obstacle, or space.");
  d.example(R"({"kind": "hinge", "body": "door", "place": [0, 0, 1], "axis": [0, 0, 1]})");
  d.parameter("name", &JointDescription::name,
              {.unit = "", .doc = "Unique name; without it joint, joint2 and so on."});
  d.parameter("kind", &JointDescription::kind,
              {.unit = "",
               .doc = "\"fixed\" holds all, \"ball\" a point, \"hinge\" leaves turning about the axis, "
                      "\"slider\" moving along it.",
               .choices = {"fixed", "ball", "hinge", "slider"}});
  d.parameter("body", &JointDescription::body, {.unit = "", .doc = "Name of the body.", .required = true});
  d.parameter("to", &JointDescription::to,
              {.unit = "", .doc = "Name of the other body, or of an obstacle; without it space."});
  d.parameter("place", &JointDescription::place, {.unit = "m", .doc = "Where it is at the start."});
  d.parameter("axis", &JointDescription::axis,
              {.unit = "", .doc = "Direction of the axis of a hinge or a slider at the start."});
  d.parameter("motor", &JointDescription::motor, {.unit = "", .doc = "Drives a hinge or a slider."});
  d.validate([](const JointDescription& j, const SourceLocation& at, Diagnostics& diagnostics) {
    if (j.axis.norm() == 0)
      diagnostics.error(at, "the axis of this joint has no direction", "give it one, such as [0, 0, 1]");
    if (j.motor && j.kind != "hinge" && j.kind != "slider")
      diagnostics.error(at, "a motor needs a hinge or a slider", "change \"kind\" or remove \"motor\"");
  });
}

void CoilDescription::describe(Describer<CoilDescription>& d) {
  d.type("coil", "part", "A closed wire that carries a current and acts on magnets.");
  d.example(R"({"radius": 0.05, "current": 1000})");
  d.parameter("name", &CoilDescription::name,
              {.unit = "", .doc = "Unique name; without it coil, coil2 and so on."});
  d.parameter("radius", &CoilDescription::radius,
              {.unit = "m",
               .doc = "Of a circle about the z axis; or give \"points\".",
               .minimum = 0,
               .above_minimum = true});
  d.parameter("points", &CoilDescription::points,
              {.unit = "m", .doc = "Corners of the wire; the last leads to the first."});
  d.parameter("current", &CoilDescription::current,
              {.unit = "A", .doc = "Times the number of turns; counter-clockwise seen from above."});
  d.parameter("motion", &CoilDescription::motion, {.unit = "", .doc = "How it moves; without it, it stays."});
  d.validate([](const CoilDescription& c, const SourceLocation& at, Diagnostics& diagnostics) {
    if (c.radius.has_value() == !c.points.empty())
      diagnostics.error(at, R"(a coil needs either "radius" or "points")",
                        c.radius ? "remove one of them" : "give one of them");
  });
}

}  // namespace heddle
