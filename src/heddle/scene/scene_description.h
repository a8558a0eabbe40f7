#pragma once

#include <heddle/scene/body_description.h>
#include <heddle/scene/rod_description.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// An object of the scene text that is checked now but read later, on top of defaults that only the builder
/// knows (a fabric on top of its base). `options.category` names the type in the catalogue; besides the
/// parameters of that type the key "base" is always allowed. Nothing is required and `validate` is not run.
struct RawObject {
  Value value;
};

template <>
struct ValueTraits<RawObject> {
  static Shape shape(const ParameterOptions& options) {
    return {.kind = Shape::Kind::object, .type = options.category};
  }
  static bool read(const Value& value, RawObject& out, const ParameterOptions& options, ReadContext& context);
  static std::string write(const RawObject&) { return "{}"; }
};

/// The type of raw objects with that `options.category`: the first of that name in any category, or null.
const TypeDescription* find_raw_type(const Catalogue& catalogue, const std::string& name);
/// `type` as raw objects of it are checked: with "base", nothing required, no validation.
TypeDescription raw_object_description(const TypeDescription& type);

/// Faces with their own fabric or weft direction.
struct RegionDescription {
  Selection faces;
  std::string fabric;                // empty: the fabric of the cloth
  std::optional<double> weft_angle;  // degrees from the direction of u
  SourceLocation where;
  SourceLocation fabric_where;  // of the value of "fabric"; the region itself if it has none
  static void describe(Describer<RegionDescription>& d);
};

/// A fabric parameter that varies over the cloth as painted.
struct PaintDescription {
  std::string parameter;     // a numeric parameter of the fabric
  std::string attribute;     // vertex attribute of the mesh, or
  std::string texture;       // a picture looked up at the texture coordinates
  std::string fit = "auto";  // how the picture lies over the texture coordinates: auto, uv, box
  Vec2 range{0, 1};          // values painted as 0 and as 1
  SourceLocation where;
  static void describe(Describer<PaintDescription>& d);
};

struct ClothDescription {
  std::string name;
  Entity mesh;
  std::string rest = "auto";  // auto, uv, flat, shape
  Vec3 translation{0, 0, 0};
  Vec3 rotation{0, 0, 0};
  double scale = 1;
  Vec3 velocity{0, 0, 0};
  std::string fabric = "cotton";
  double weft_angle = 0;
  Entity membrane;
  Entity bending;
  std::vector<RegionDescription> regions;
  std::vector<PaintDescription> paint;
  std::vector<PinDescription> pins;
  std::vector<AttachmentDescription> attachments;
  std::optional<MagnetDescription> magnet;
  SourceLocation where;
  SourceLocation fabric_where;  // of the value of "fabric"; the cloth itself if it has none
  bool is_attached_to(const std::string& obstacle) const;
  static void describe(Describer<ClothDescription>& d);
};

struct ObstacleDescription {
  std::string name;
  Entity shape;  // one of the three is given
  Entity mesh;
  Entity sequence;
  Motion motion;
  double friction = 0.3;
  double stiction = 1;
  std::optional<double> thickness;  // m, of a mesh or a sequence
  std::optional<MagnetDescription> magnet;
  SourceLocation where;
  static void describe(Describer<ObstacleDescription>& d);
};

/// The friction of two materials, where it is not the mean of both.
struct FrictionDescription {
  std::vector<std::string> between;  // names of two fabrics, or of a fabric and an obstacle
  double friction = 0.3;
  double stiction = 1;
  SourceLocation where;
  static void describe(Describer<FrictionDescription>& d);
};

struct OutputDescription {
  std::vector<std::string> formats;  // obj, ply, pc2, vtk, gltf, usd, html
  int checkpoint_every = 10;         // frames
  static void describe(Describer<OutputDescription>& d);
};

/// A whole scene as plain data; names are strings, nothing is built yet.
struct SceneDescription {
  std::string schema;  // for editors only
  int format_version = 1;
  std::vector<std::string> include;  // files merged into this one, see load.h
  std::string title;
  double duration = 2;        // s
  double frame_rate = 25;     // 1/s
  Vec3 gravity{0, 0, -9.81};  // m/s2; z points up
  std::map<std::string, RawObject> fabrics;
  std::vector<ClothDescription> cloths;
  std::vector<RodDescription> rods;
  std::vector<ObstacleDescription> obstacles;
  std::vector<BodyDescription> bodies;
  std::vector<JointDescription> joints;
  std::vector<CoilDescription> coils;
  std::vector<FrictionDescription> frictions;
  std::vector<Entity> forces;
  Entity integrator;
  Entity contact;
  Entity limits;
  OutputDescription output;
  std::filesystem::path file;  // where it was read from
  static void describe(Describer<SceneDescription>& d);
};

}  // namespace heddle
