#include <heddle/io/centre_lines.h>
#include <heddle/io/export_formats.h>
#include <heddle/io/gltf_document.h>
#include <heddle/io/overwrite.h>

#include <fmt/format.h>

#include <map>

namespace heddle {
namespace {

using Json = GltfDocument::Json;

constexpr int kLines = 1;  // glTF's mode of a primitive

Json numbers(const Vec3f& v) {
  return {v.x(), v.y(), v.z()};
}

/// What the frames add to one object, collected frame by frame.
struct Track {
  int node = -1;
  Json attributes;               // of the first frame
  Json targets = Json::array();  // of what deforms: one morph target for each later frame
  std::vector<Vec3f> first_positions, first_normals;
  std::vector<Eigen::Vector4f> rotations;  // of what is rigid
  std::vector<Vec3f> translations;
};

class GltfExport {
 public:
  explicit GltfExport(const ExportSource& source)
      : source_(source), document_(std::string(kHeddleMark)), tracks_(source.object_count()) {}

  Result<std::string> run() {
    add_nodes();
    for (size_t k = 0; k < source_.frame_count(); ++k) {
      const auto frames = source_.read(k);
      if (!frames) return frames.errors();
      for (size_t i = 0; i < tracks_.size(); ++i) add_frame(tracks_[i], source_.object(i), (*frames)[i], k);
    }
    for (size_t i = 0; i < tracks_.size(); ++i) add_mesh(tracks_[i], source_.object(i));
    add_animation();
    if (std::optional<std::string> bytes = document_.take_glb()) return std::move(*bytes);
    return failure({}, "the animation exceeds the 4 GiB of a .glb file",
                   "export fewer frames or objects, or choose the format usd or pc2");
  }

 private:
  /// One scene with a root that turns Heddle's z to glTF's y.
  void add_nodes() {
    document_.root["scene"] = 0;
    document_.root["scenes"] = Json::array({{{"nodes", {0}}}});
    std::vector<int> children;
    document_.add("nodes", Json::object());
    for (size_t i = 0; i < tracks_.size(); ++i) {
      tracks_[i].node = document_.add("nodes", {{"name", source_.object(i).name}});
      children.push_back(tracks_[i].node);
    }
    constexpr double kHalf = 0.70710678118654752;
    document_.root["nodes"][0] = {
        {"name", "z_up"}, {"rotation", {-kHalf, 0, 0, kHalf}}, {"children", children}};
  }

  void add_frame(Track& track, const SnapshotObject& object, const SnapshotObjectFrame& frame, size_t k) {
    const bool rigid = object.kind == SnapshotObject::Kind::obstacle && frame.positions.empty();
    if (rigid) add_pose(track, frame.pose);
    if (object.rest_positions.empty() || (object.triangles.empty() && !is_of_lines(object))) return;
    if (k == 0) add_first(track, object, rigid ? object.rest_positions : frame.positions);
    if (k > 0 && !rigid) add_target(track, object, frame.positions);
  }

  void add_first(Track& track, const SnapshotObject& object, const std::vector<Vec3f>& positions) {
    track.first_positions = positions;
    if (is_of_lines(object)) {
      track.attributes = {{"POSITION", document_.add_positions(positions)}};
      return;
    }
    track.first_normals = vertex_normals(object.triangles, positions);
    track.attributes = {{"POSITION", document_.add_positions(positions)},
                        {"NORMAL", document_.add_vectors(track.first_normals)}};
    if (object.uv.empty()) return;
    std::vector<Eigen::Vector2f> uvs;
    for (const Eigen::Vector2f& uv : object.uv)
      uvs.emplace_back(uv.x(), 1 - uv.y());  // glTF counts v downwards
    track.attributes["TEXCOORD_0"] = document_.add_uvs(uvs);
  }

  void add_line_target(Track& track, std::vector<Vec3f> positions) {
    for (size_t v = 0; v < positions.size(); ++v) positions[v] -= track.first_positions[v];
    track.targets.push_back({{"POSITION", document_.add_positions(positions)}});
  }

  void add_target(Track& track, const SnapshotObject& object, std::vector<Vec3f> positions) {
    if (is_of_lines(object)) return add_line_target(track, std::move(positions));
    std::vector<Vec3f> normals = vertex_normals(object.triangles, positions);
    for (size_t v = 0; v < positions.size(); ++v) {
      positions[v] -= track.first_positions[v];
      normals[v] -= track.first_normals[v];
    }
    track.targets.push_back(
        {{"POSITION", document_.add_positions(positions)}, {"NORMAL", document_.add_vectors(normals)}});
  }

  /// Quaternions q and -q turn alike; neighbours of equal sign make players turn the short way.
  static void add_pose(Track& track, const RigidTransform& pose) {
    Eigen::Vector4f rotation = pose.rotation.coeffs().cast<float>();
    if (!track.rotations.empty() && track.rotations.back().dot(rotation) < 0) rotation = -rotation;
    track.rotations.push_back(rotation);
    track.translations.push_back(pose.translation.cast<float>());
  }

  void add_mesh(Track& track, const SnapshotObject& object) {
    Json& node = document_.root["nodes"][static_cast<size_t>(track.node)];
    if (!track.rotations.empty()) {
      const Eigen::Vector4f& q = track.rotations[0];
      node["rotation"] = {q.x(), q.y(), q.z(), q.w()};
      node["translation"] = numbers(track.translations[0]);
    }
    if (track.attributes.is_null()) return;
    std::map<int, std::vector<Triangle>> parts;
    const bool cloth = object.kind == SnapshotObject::Kind::cloth;
    for (size_t face = 0; face < object.triangles.size(); ++face)
      parts[cloth ? face_material(object, face) : -1].push_back(object.triangles[face]);
    Json primitives = Json::array();
    const auto add = [&](int indices, int material) {
      Json& primitive = primitives.emplace_back(Json{
          {"attributes", track.attributes}, {"indices", indices}, {"material", material_index(material)}});
      if (is_of_lines(object)) primitive["mode"] = kLines;
      if (!track.targets.empty()) primitive["targets"] = track.targets;
    };
    for (const auto& [material, triangles] : parts) add(document_.add_triangles(triangles), material);
    if (is_of_lines(object)) add(document_.add_lines(object.curves.lines), face_material(object, 0));
    Json mesh{{"name", object.name}, {"primitives", primitives}};
    if (!track.targets.empty()) mesh["weights"] = std::vector<float>(track.targets.size(), 0.0f);
    node["mesh"] = document_.add("meshes", std::move(mesh));
  }

  /// glTF's index of a material of the model; -1 is the one of all obstacles.
  int material_index(int material) {
    const auto [entry, is_new] = materials_.try_emplace(material, -1);
    if (!is_new) return entry->second;
    SnapshotMaterial look{.name = "obstacle", .front_colour = Vec3f(0.5f, 0.5f, 0.5f)};
    const auto& known = source_.model().materials;
    if (material >= 0)
      look = static_cast<size_t>(material) < known.size() ? known[static_cast<size_t>(material)]
                                                          : SnapshotMaterial{.name = "cloth"};
    const Vec3f colour = look.front_colour.cwiseMax(0).cwiseMin(1);
    entry->second =
        document_.add("materials", {{"name", look.name},
                                    {"pbrMetallicRoughness",
                                     {{"baseColorFactor", {colour.x(), colour.y(), colour.z(), 1.0f}},
                                      {"metallicFactor", 0.0f},
                                      {"roughnessFactor", 0.9f}}},
                                    {"doubleSided", true}});
    return entry->second;
  }

  void add_animation() {
    if (source_.frame_count() < 2) return;
    std::vector<float> seconds;
    for (const double time : source_.times())
      seconds.push_back(static_cast<float>(time - source_.times()[0]));
    const int input = document_.add_times(seconds);
    Json animation{{"name", "run"}, {"channels", Json::array()}, {"samplers", Json::array()}};
    const auto channel = [&](const Track& track, const char* path, int output) {
      animation["channels"].push_back(
          {{"sampler", animation["samplers"].size()}, {"target", {{"node", track.node}, {"path", path}}}});
      animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    };
    std::optional<int> weights;
    for (const Track& track : tracks_) {
      if (!track.rotations.empty()) {
        channel(track, "rotation", document_.add_rotations(track.rotations));
        channel(track, "translation", document_.add_translations(track.translations));
      }
      if (track.targets.empty()) continue;
      if (!weights) weights = add_weights();
      channel(track, "weights", *weights);
    }
    if (!animation["channels"].empty()) document_.add("animations", std::move(animation));
  }

  /// At the time of frame k only target k - 1 counts, in between two neighbours are mixed.
  int add_weights() {
    const size_t frames = source_.frame_count();
    std::vector<float> weights(frames * (frames - 1), 0.0f);
    for (size_t k = 1; k < frames; ++k) weights[k * (frames - 1) + k - 1] = 1;
    return document_.add_numbers(weights);
  }

  const ExportSource& source_;
  GltfDocument document_;
  std::vector<Track> tracks_;
  std::map<int, int> materials_;
};

}  // namespace

Status export_gltf(const ExportSource& source, ExportTarget& target) {
  Result<std::string> bytes = GltfExport(source).run();
  if (!bytes) return bytes.errors();
  return target.write("run.glb", *bytes);
}

}  // namespace heddle
