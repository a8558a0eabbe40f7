#include <heddle/scene/scene_description.h>

#include <algorithm>

namespace heddle {

const TypeDescription* find_raw_type(const Catalogue& catalogue, const std::string& name) {
  const auto& types = catalogue.types();
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const TypeDescription* type) { return type->name == name; });
  return found == types.end() ? nullptr : *found;
}

TypeDescription raw_object_description(const TypeDescription& type) {
  TypeDescription relaxed = type;
  relaxed.validate = nullptr;
  for (Parameter& parameter : relaxed.parameters) parameter.options.required = false;
  if (relaxed.find("base")) return relaxed;
  Parameter base;
  base.name = "base";
  base.options = {.unit = "",
                  .doc = "Name of the " + type.name + " whose values are used where none is given."};
  base.shape = {.kind = Shape::Kind::text};
  base.read = [](const Value& value, void*, ReadContext& context) {
    if (!value.is_string()) wrong_kind(value, "a string", context.diagnostics);
  };
  relaxed.parameters.insert(relaxed.parameters.begin(), std::move(base));
  return relaxed;
}

bool ValueTraits<RawObject>::read(const Value& value, RawObject& out, const ParameterOptions& options,
                                  ReadContext& context) {
  if (!value.is_object())
    return wrong_kind(value, with_article(options.category) + " object", context.diagnostics);
  out.value = value;
  const TypeDescription* type = find_raw_type(context.catalogue, options.category);
  if (!type) return true;
  const std::shared_ptr<void> scratch = type->create();
  return read_object(value, raw_object_description(*type), scratch.get(), context);
}

void Selection::describe(Describer<Selection>& d) {
  d.type("selection", "part",
         "Chooses vertices or faces of a cloth, or nodes of a rod; whatever any of the given keys contains "
         "is chosen.");
  d.example(R"({"box": [[-0.5, 0.49, 0.9], [0.5, 0.51, 1.1]]})");
  d.parameter("indices", &Selection::indices,
              {.unit = "", .doc = "Numbers of the elements, from 0.", .minimum = 0});
  d.parameter("group", &Selection::group, {.unit = "", .doc = "Name of a face group of the mesh file."});
  d.parameter("box", &Selection::box,
              {.unit = "m", .doc = "Two opposite corners of a box in world space, where the cloth starts."});
  d.parameter("uv_box", &Selection::uv_box,
              {.unit = "m",
               .doc = "Two opposite corners of a rectangle in the texture coordinates, which grow with the "
                      "scale of the cloth."});
  d.parameter("nearest", &Selection::nearest,
              {.unit = "m", .doc = "Points in world space; the element nearest to each is chosen."});
  d.parameter("all", &Selection::all, {.unit = "", .doc = "Chooses every element."});
  d.validate([](const Selection& s, const SourceLocation& at, Diagnostics& diagnostics) {
    if (!s.box.empty() && s.box.size() != 2)
      diagnostics.error(at, "\"box\" needs two corners", "found " + std::to_string(s.box.size()));
    if (!s.uv_box.empty() && s.uv_box.size() != 2)
      diagnostics.error(at, "\"uv_box\" needs two corners", "found " + std::to_string(s.uv_box.size()));
    const bool lists = s.indices.size() + s.box.size() + s.uv_box.size() + s.nearest.size() > 0;
    if (!lists && s.group.empty() && !s.all)
      diagnostics.error(at, "this selection chooses nothing",
                        R"(give "indices", "group", "box", "uv_box", "nearest" or "all": true)");
  });
}

void RegionDescription::describe(Describer<RegionDescription>& d) {
  d.type("region", "part", "Faces of a cloth with their own fabric or weft direction.");
  d.example(R"({"faces": {"uv_box": [[0, 0], [0.1, 1]]}, "fabric": "denim"})");
  d.parameter("faces", &RegionDescription::faces,
              {.unit = "", .doc = "The faces of the region.", .required = true});
  d.parameter("fabric", &RegionDescription::fabric,
              {.unit = "", .doc = "Name of the fabric there; without it the fabric of the cloth."});
  d.parameter(
      "weft_angle", &RegionDescription::weft_angle,
      {.unit = "deg",
       .doc = "Direction of the weft there, counter-clockwise from the direction in which u grows; without "
              "texture coordinates from the x axis laid into each face.",
       .minimum = -360,
       .maximum = 360});
  d.validate([](const RegionDescription& r, const SourceLocation& at, Diagnostics& diagnostics) {
    if (r.fabric.empty() && !r.weft_angle)
      diagnostics.error(at, "this region changes nothing", R"(give it a "fabric" or a "weft_angle")");
  });
}

void PaintDescription::describe(Describer<PaintDescription>& d) {
  d.type("paint", "part", "A parameter of the fabric that varies over the cloth as painted.");
  d.example(R"({"parameter": "thickness", "texture": "thickness.png", "range": [0.0002, 0.0006]})");
  d.parameter("parameter", &PaintDescription::parameter,
              {.unit = "", .doc = "Name of a numeric parameter of the fabric.", .required = true});
  d.parameter("attribute", &PaintDescription::attribute,
              {.unit = "", .doc = "Vertex attribute of the mesh that holds the painted values, 0 to 1."});
  d.parameter("texture", &PaintDescription::texture,
              {.unit = "",
               .doc = "Grey picture looked up at the texture coordinates, black is 0, white is 1.",
               .path = true});
  d.parameter("fit", &PaintDescription::fit,
              {.unit = "",
               .doc = "How the picture lies over the texture coordinates: \"uv\" fills 0 to 1 in u and v of "
                      "the file, as in drawing programs; \"box\" is "
                      "stretched once over the rectangle that the cloth covers in u and v; \"auto\" is "
                      "\"box\" where they are in metres (generated meshes and \"rest\": \"uv\"), else "
                      "\"uv\". Beyond the picture its border goes on.",
               .choices = {"auto", "uv", "box"}});
  d.parameter(
      "range", &PaintDescription::range,
      {.unit = "", .doc = "Values of the parameter where 0 and where 1 is painted, in its own unit."});
  d.validate([](const PaintDescription& p, const SourceLocation& at, Diagnostics& diagnostics) {
    if (p.attribute.empty() == p.texture.empty())
      diagnostics.error(at, "paint needs either \"attribute\" or \"texture\"",
                        p.attribute.empty() ? "give one of them" : "remove one of them");
  });
}

void PinDescription::describe(Describer<PinDescription>& d) {
  d.type("pin", "part", "Vertices that are held, or moved along a motion relative to where they start.");
  d.example(R"({"vertices": {"nearest": [[-0.5, 0.5, 1], [0.5, 0.5, 1]]}, "release": 1.5})");
  d.parameter("vertices", &PinDescription::vertices,
              {.unit = "", .doc = "The vertices held.", .required = true});
  d.parameter("motion", &PinDescription::motion, {.unit = "", .doc = "How they move; without it they stay."});
  d.parameter("centre", &PinDescription::centre,
              {.unit = "m", .doc = "Centre of the rotation of the motion."});
  d.parameter("release", &PinDescription::release,
              {.unit = "s", .doc = "After this time the vertices are free.", .minimum = 0});
}

void AttachmentDescription::describe(Describer<AttachmentDescription>& d) {
  d.type("attachment", "part", "Vertices or nodes that move with an obstacle or a body as if sewn to it.");
  d.example(R"({"vertices": {"group": "collar"}, "obstacle": "neck"})");
  d.parameter("vertices", &AttachmentDescription::vertices,
              {.unit = "", .doc = "The vertices attached.", .required = true});
  d.parameter("obstacle", &AttachmentDescription::obstacle,
              {.unit = "", .doc = "Name of the obstacle or the body they move with.", .required = true});
  d.parameter("release", &AttachmentDescription::release,
              {.unit = "s", .doc = "After this time the vertices are free.", .minimum = 0});
}

namespace {

void describe_placement(Describer<ClothDescription>& d) {
  d.parameter("rest", &ClothDescription::rest,
              {.unit = "",
               .doc = "Where the rest shape comes from: texture coordinates (uv), the mesh laid flat, its "
                      "shape as it is, or what suits the mesh (auto).",
               .choices = {"auto", "uv", "flat", "shape"}});
  d.parameter("translation", &ClothDescription::translation,
              {.unit = "m", .doc = "Moves the mesh, after scale and rotation."});
  d.parameter("rotation", &ClothDescription::rotation,
              {.unit = "deg", .doc = "Turns the mesh about its origin: axis times angle."});
  d.parameter("scale", &ClothDescription::scale,
              {.doc = "Enlarges the mesh; 0.001 for files in millimetres.",
               .minimum = 0,
               .maximum = 1e6,
               .above_minimum = true});
  d.parameter("velocity", &ClothDescription::velocity, {.unit = "m/s", .doc = "Velocity at the start."});
}

}  // namespace

bool ClothDescription::is_attached_to(const std::string& obstacle) const {
  return std::any_of(attachments.begin(), attachments.end(), [&](const AttachmentDescription& attachment) {
    return attachment.obstacle == obstacle;
  });
}

void ClothDescription::describe(Describer<ClothDescription>& d) {
  d.type("cloth", "part",
         "A piece of fabric: a mesh, what it is made of, where it starts and what holds it.");
  d.parameter("name", &ClothDescription::name,
              {.unit = "", .doc = "Unique name, used for output files; without it cloth, cloth2 and so on."});
  d.parameter("mesh", &ClothDescription::mesh,
              {.unit = "", .doc = "The triangles of the cloth.", .required = true, .category = "mesh"});
  describe_placement(d);
  d.parameter("fabric", &ClothDescription::fabric,
              {.unit = "", .doc = "Name of a fabric of the scene or of the fabrics that come with Heddle."});
  d.parameter("weft_angle", &ClothDescription::weft_angle,
              {.unit = "deg",
               .doc = "Direction of the weft, counter-clockwise from the direction in which u grows; without "
                      "texture coordinates from the x axis laid into each face.",
               .minimum = -360,
               .maximum = 360});
  d.parameter(
      "membrane", &ClothDescription::membrane,
      {.unit = "", .doc = "Model of stretch and shear; without it the usual one.", .category = "membrane"});
  d.parameter("bending", &ClothDescription::bending,
              {.unit = "", .doc = "Model of bending; without it the usual one.", .category = "bending"});
  d.parameter("regions", &ClothDescription::regions, {.unit = "", .doc = "Parts made of other fabric."});
  d.parameter("paint", &ClothDescription::paint,
              {.unit = "", .doc = "Fabric parameters that vary as painted."});
  d.parameter("pins", &ClothDescription::pins, {.unit = "", .doc = "Vertices that are held or moved."});
  d.parameter("magnet", &ClothDescription::magnet,
              {.unit = "", .doc = "Makes it a permanent magnet, magnetised along weft, warp and normal."});
  d.parameter("attachments", &ClothDescription::attachments,
              {.unit = "", .doc = "Vertices sewn to obstacles or bodies."});
}

namespace {

void validate_obstacle(const ObstacleDescription& o, const SourceLocation& at, Diagnostics& diagnostics) {
  const int given = (o.shape ? 1 : 0) + (o.mesh ? 1 : 0) + (o.sequence ? 1 : 0);
  if (given != 1)
    diagnostics.error(at, R"(an obstacle needs either "shape" or "mesh" or "sequence")",
                      given == 0 ? "give one of them" : "remove all but one");
  if (o.shape && given == 1 && o.thickness)
    diagnostics.error(at, R"("thickness" belongs to a "mesh" or a "sequence")",
                      "remove it: cloth keeps half its own thickness from a shape");
}

}  // namespace

void ObstacleDescription::describe(Describer<ObstacleDescription>& d) {
  d.type("obstacle", "part", "A solid thing that cloth cannot pass through, at rest or moving.");
  d.parameter(
      "name", &ObstacleDescription::name,
      {.unit = "", .doc = "Unique name, used by attachments; without it obstacle, obstacle2 and so on."});
  d.example(R"({"name": "ball", "shape": {"type": "sphere", "radius": 0.2}, "friction": 0.5})");
  d.parameter("shape", &ObstacleDescription::shape,
              {.unit = "", .doc = "A solid shape; or give \"mesh\" or \"sequence\".", .category = "shape"});
  d.parameter("mesh", &ObstacleDescription::mesh,
              {.unit = "",
               .doc = "A rigid surface of triangles that holds cloth on both sides.",
               .category = "mesh"});
  d.parameter("sequence", &ObstacleDescription::sequence,
              {.unit = "", .doc = "A surface of triangles that deforms.", .category = "sequence"});
  d.parameter("motion", &ObstacleDescription::motion,
              {.unit = "", .doc = "How it moves; without it, it stays."});
  d.parameter(
      "friction", &ObstacleDescription::friction,
      {.doc = "Coefficient of friction between the obstacle and cloth.", .minimum = 0, .maximum = 10});
  d.parameter("stiction", &ObstacleDescription::stiction,
              {.doc = "Friction that holds cloth at rest, relative to that of sliding.",
               .minimum = 1,
               .maximum = 10});
  d.parameter(
      "thickness", &ObstacleDescription::thickness,
      {.unit = "m",
       .doc = "Distance that cloth keeps from the triangles of a mesh or a sequence, besides half its own "
              "thickness; without it 0.001.",
       .minimum = 1e-5,
       .maximum = 0.1});
  d.parameter("magnet", &ObstacleDescription::magnet,
              {.unit = "", .doc = "Makes a shape or a closed mesh magnetic."});
  d.validate(validate_obstacle);
}

void FrictionDescription::describe(Describer<FrictionDescription>& d) {
  d.type("friction", "part",
         "The friction between two materials, where it is not the geometric mean of what each of them has.");
  d.example(R"({"between": ["denim", "table"], "friction": 0.25, "stiction": 1.3})");
  d.parameter("between", &FrictionDescription::between,
              {.unit = "",
               .doc = "The names of two fabrics (or twice the same one), or of a fabric and an obstacle.",
               .required = true});
  d.parameter("friction", &FrictionDescription::friction,
              {.doc = "Coefficient of sliding friction.", .minimum = 0, .maximum = 10});
  d.parameter("stiction", &FrictionDescription::stiction,
              {.doc = "Friction that holds surfaces at rest, relative to that of sliding.",
               .minimum = 1,
               .maximum = 10});
  d.validate([](const FrictionDescription& pair, const SourceLocation& at, Diagnostics& diagnostics) {
    if (pair.between.size() != 2)
      diagnostics.error(at, R"("between" has )" + std::to_string(pair.between.size()) + " names",
                        "give the names of two materials");
  });
}

void OutputDescription::describe(Describer<OutputDescription>& d) {
  d.type("output", "part", "What a run writes besides its own records.");
  d.example(R"({"formats": ["gltf", "pc2"], "checkpoint_every": 25})");
  d.parameter("formats", &OutputDescription::formats,
              {.unit = "",
               .doc = "File formats of the animation.",
               .choices = {"obj", "ply", "pc2", "vtk", "gltf", "usd", "html"}});
  d.parameter(
      "checkpoint_every", &OutputDescription::checkpoint_every,
      {.unit = "frames", .doc = "How often the state is saved, so that a run can be resumed.", .minimum = 1});
}

namespace {

void describe_file_keys(Describer<SceneDescription>& d) {
  d.parameter("$schema", &SceneDescription::schema,
              {.unit = "", .doc = "Address of the JSON Schema, for editors; Heddle ignores it."});
  d.parameter("heddle", &SceneDescription::format_version,
              {.unit = "", .doc = "Version of the scene language.", .minimum = 1});
  d.parameter("include", &SceneDescription::include,
              {.unit = "",
               .doc = "Scene files merged into this one, relative to the folder of this one.",
               .path = true});
  d.parameter("title", &SceneDescription::title, {.unit = "", .doc = "What the scene shows."});
}

}  // namespace

void SceneDescription::describe(Describer<SceneDescription>& d) {
  d.type("scene", "part", "A whole scene file.");
  d.example(R"({"title": "A falling cloth", "duration": 2, "cloths": [{"mesh": {"type": "grid"}}]})");
  describe_file_keys(d);
  d.parameter("duration", &SceneDescription::duration,
              {.unit = "s", .doc = "How much time is simulated.", .minimum = 0, .above_minimum = true});
  d.parameter("frame_rate", &SceneDescription::frame_rate,
              {.unit = "1/s", .doc = "How many frames a second are written.", .minimum = 1e-3});
  d.parameter("gravity", &SceneDescription::gravity, {.unit = "m/s2", .doc = "Gravity; z points up."});
  d.parameter("fabrics", &SceneDescription::fabrics,
              {.unit = "",
               .doc = "Fabrics of this scene by name, each on top of its base or the defaults.",
               .category = "fabric"});
  d.parameter("cloths", &SceneDescription::cloths, {.unit = "", .doc = "The pieces of cloth."});
  d.parameter("rods", &SceneDescription::rods,
              {.unit = "", .doc = "Ropes, threads, wires and nets of them."});
  d.parameter("obstacles", &SceneDescription::obstacles,
              {.unit = "", .doc = "What cloth and rods collide with."});
  d.parameter("bodies", &SceneDescription::bodies, {.unit = "", .doc = "Rigid bodies."});
  d.parameter("joints", &SceneDescription::joints,
              {.unit = "", .doc = "What connects bodies with each other, with obstacles or with space."});
  d.parameter("coils", &SceneDescription::coils, {.unit = "", .doc = "Wires whose currents act on magnets."});
  d.parameter("frictions", &SceneDescription::frictions,
              {.unit = "", .doc = "Friction of pairs of materials, instead of the mean of both."});
  d.parameter("forces", &SceneDescription::forces,
              {.unit = "", .doc = "Forces besides gravity, such as wind.", .category = "force"});
  d.parameter("integrator", &SceneDescription::integrator,
              {.unit = "", .doc = "How time advances; without it the usual one.", .category = "integrator"});
  d.parameter(
      "contact", &SceneDescription::contact,
      {.unit = "", .doc = "How surfaces are kept apart; without it by impulses.", .category = "contact"});
  d.parameter("limits", &SceneDescription::limits,
              {.unit = "",
               .doc = "How the strain limits of fabrics are kept; without it the usual way.",
               .category = "limits"});
  d.parameter("output", &SceneDescription::output, {.unit = "", .doc = "What the run writes."});
}

}  // namespace heddle
