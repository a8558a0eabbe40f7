#include <heddle/core/text.h>
#include <heddle/io/assimp_reader.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/mesh_collector.h>
#include <heddle/io/mesh_sequence.h>

#include <assimp/anim.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace heddle {
namespace {

/// The two keys around a time and how far it is between them; keys are at least one and ascend in time.
template <class Key>
std::tuple<const Key&, const Key&, double> keys_around(const Key* keys, unsigned count, double ticks) {
  const Key* next = std::upper_bound(keys, keys + count, ticks,
                                     [](double time, const Key& key) { return time < key.mTime; });
  if (next == keys) return {keys[0], keys[0], 0.0};
  if (next == keys + count) return {keys[count - 1], keys[count - 1], 0.0};
  const Key& before = next[-1];
  return {before, *next, (ticks - before.mTime) / (next->mTime - before.mTime)};
}

aiVector3D vector_at(const aiVectorKey* keys, unsigned count, double ticks, const aiVector3D& otherwise) {
  if (count == 0) return otherwise;
  const auto [a, b, s] = keys_around(keys, count, ticks);
  return a.mValue + (b.mValue - a.mValue) * static_cast<ai_real>(s);
}

aiQuaternion rotation_at(const aiQuatKey* keys, unsigned count, double ticks) {
  if (count == 0) return {};
  const auto [a, b, s] = keys_around(keys, count, ticks);
  aiQuaternion result;
  aiQuaternion::Interpolate(result, a.mValue, b.mValue, static_cast<ai_real>(s));
  return result.Normalize();
}

/// A mesh where a node shows it, and its share of all vertices.
struct Instance {
  const aiNode* node;
  const aiMesh* mesh;
  size_t first_vertex;
};

/// Evaluates one animation of a scene at any time.
class Player {
 public:
  Player(const aiScene& scene, const aiAnimation& animation) : scene_(scene) {
    for (unsigned i = 0; i < animation.mNumChannels; ++i)
      channels_[animation.mChannels[i]->mNodeName.C_Str()] = animation.mChannels[i];
    for (unsigned i = 0; i < animation.mNumMorphMeshChannels; ++i)
      morphs_[animation.mMorphMeshChannels[i]->mName.C_Str()] = animation.mMorphMeshChannels[i];
    add_instances(*scene.mRootNode);
  }

  const std::vector<Instance>& instances() const { return instances_; }
  size_t vertex_count() const { return vertices_; }

  /// Places of all vertices, instance after instance, appended to `out`.
  void append_positions(double ticks, std::vector<Vec3f>& out) {
    pose(*scene_.mRootNode, aiMatrix4x4(), ticks);
    for (const Instance& instance : instances_)
      for (const aiVector3D& x : placed(instance, ticks)) out.emplace_back(x.x, x.y, x.z);
  }

 private:
  void add_instances(const aiNode& node) {
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      const aiMesh* mesh = scene_.mMeshes[node.mMeshes[i]];
      instances_.push_back({&node, mesh, vertices_});
      vertices_ += mesh->mNumVertices;
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i) add_instances(*node.mChildren[i]);
  }

  void pose(const aiNode& node, const aiMatrix4x4& parent, double ticks) {
    aiMatrix4x4 local = node.mTransformation;
    if (const auto found = channels_.find(node.mName.C_Str()); found != channels_.end()) {
      const aiNodeAnim& c = *found->second;
      const aiVector3D scaling = vector_at(c.mScalingKeys, c.mNumScalingKeys, ticks, {1, 1, 1});
      const aiVector3D position = vector_at(c.mPositionKeys, c.mNumPositionKeys, ticks, {0, 0, 0});
      local = aiMatrix4x4(scaling, rotation_at(c.mRotationKeys, c.mNumRotationKeys, ticks), position);
    }
    const aiMatrix4x4 global = parent * local;
    poses_[node.mName.C_Str()] = global;
    for (unsigned i = 0; i < node.mNumChildren; ++i) pose(*node.mChildren[i], global, ticks);
  }

  std::vector<aiVector3D> morphed(const Instance& instance, double ticks) const {
    const aiMesh& mesh = *instance.mesh;
    std::vector<aiVector3D> x(mesh.mVertices, mesh.mVertices + mesh.mNumVertices);
    const auto add = [&](unsigned target, double weight) {
      if (target >= mesh.mNumAnimMeshes || weight == 0) return;
      const aiAnimMesh& shape = *mesh.mAnimMeshes[target];
      if (!shape.mVertices || shape.mNumVertices != mesh.mNumVertices) return;
      for (unsigned i = 0; i < mesh.mNumVertices; ++i)
        x[i] += (shape.mVertices[i] - mesh.mVertices[i]) * static_cast<ai_real>(weight);
    };
    const auto found = morphs_.find(instance.node->mName.C_Str());
    if (found == morphs_.end() || found->second->mNumKeys == 0) {
      for (unsigned k = 0; k < mesh.mNumAnimMeshes; ++k) add(k, mesh.mAnimMeshes[k]->mWeight);
      return x;
    }
    const auto [a, b, s] = keys_around(found->second->mKeys, found->second->mNumKeys, ticks);
    for (unsigned k = 0; k < a.mNumValuesAndWeights; ++k) add(a.mValues[k], (1 - s) * a.mWeights[k]);
    for (unsigned k = 0; k < b.mNumValuesAndWeights; ++k) add(b.mValues[k], s * b.mWeights[k]);
    return x;
  }

  /// Linear blend skinning: x' = sum_b w_b G_b O_b x, with O_b from the mesh to the bone at rest and G_b the
  /// pose of the bone. Vertices of no bone go with their node.
  std::vector<aiVector3D> placed(const Instance& instance, double ticks) const {
    std::vector<aiVector3D> x = morphed(instance, ticks), sum(x.size());
    std::vector<ai_real> weight(x.size(), 0);
    for (unsigned b = 0; b < instance.mesh->mNumBones; ++b) {
      const aiBone& bone = *instance.mesh->mBones[b];
      const auto found = poses_.find(bone.mName.C_Str());
      if (found == poses_.end()) continue;
      const aiMatrix4x4 transform = found->second * bone.mOffsetMatrix;
      for (unsigned k = 0; k < bone.mNumWeights; ++k) {
        const auto [vertex, w] = bone.mWeights[k];
        if (vertex >= x.size()) continue;
        sum[vertex] += (transform * x[vertex]) * w;
        weight[vertex] += w;
      }
    }
    const aiMatrix4x4& own = poses_.at(instance.node->mName.C_Str());
    for (size_t i = 0; i < x.size(); ++i) x[i] = weight[i] > 0 ? sum[i] / weight[i] : own * x[i];
    return x;
  }

  const aiScene& scene_;
  std::map<std::string, const aiNodeAnim*> channels_;
  std::map<std::string, const aiMeshMorphAnim*> morphs_;
  std::map<std::string, aiMatrix4x4> poses_;
  std::vector<Instance> instances_;
  size_t vertices_ = 0;
};

/// New numbers in which vertices that are always at the same place have the same one.
std::vector<int> join_vertices(const std::vector<Vec3f>& positions, size_t vertices) {
  const auto sample = [&](size_t k, size_t i) -> const Vec3f& { return positions[k * vertices + i]; };
  const auto together = [&](size_t i, size_t j) {
    for (size_t k = 0; k * vertices < positions.size(); ++k)
      if (sample(k, i) != sample(k, j)) return false;
    return true;
  };
  std::map<std::tuple<float, float, float>, std::vector<size_t>> by_place;
  std::vector<int> number(vertices, -1);
  int count = 0;
  for (size_t i = 0; i < vertices; ++i) {
    const Vec3f x = sample(0, i) + Vec3f::Zero();  // -0 becomes 0
    std::vector<size_t>& known = by_place[{x.x(), x.y(), x.z()}];
    const auto same = std::ranges::find_if(known, [&](size_t j) { return together(i, j); });
    number[i] = same == known.end() ? count++ : number[*same];
    if (same == known.end()) known.push_back(i);
  }
  return number;
}

Result<RawSequence> collect(const Player& player, const std::vector<Vec3f>& positions,
                            const std::string& file, Diagnostics* warnings) {
  const size_t vertices = player.vertex_count(), samples = vertices > 0 ? positions.size() / vertices : 0;
  const std::vector<int> number = join_vertices(positions, vertices);
  const auto joined = static_cast<size_t>(number.empty() ? 0 : 1 + *std::ranges::max_element(number));
  RawSequence sequence;
  sequence.positions.resize(samples * joined);
  for (size_t k = 0; k < samples; ++k)
    for (size_t i = 0; i < vertices; ++i)
      sequence.positions[k * joined + static_cast<size_t>(number[i])] = positions[k * vertices + i];
  MeshCollector collector(file);
  for (size_t i = 0; i < joined; ++i) collector.add_vertex(sequence.positions[i].cast<double>());
  for (const Instance& instance : player.instances())
    for (unsigned f = 0; f < instance.mesh->mNumFaces; ++f) {
      const aiFace& face = instance.mesh->mFaces[f];
      if (face.mNumIndices < 3) continue;  // points and lines
      std::vector<int> corners;
      for (unsigned k = 0; k < face.mNumIndices; ++k) {
        if (face.mIndices[k] >= instance.mesh->mNumVertices)
          return failure({file}, fmt::format("a face of \"{}\" names vertex {}", instance.node->mName.C_Str(),
                                             face.mIndices[k]));
        corners.push_back(number[instance.first_vertex + face.mIndices[k]]);
      }
      if (const std::string problem = collector.add_polygon(corners, {}, {}); !problem.empty())
        return failure({file}, problem);
    }
  Result<TriangleMesh> mesh = collector.finish(warnings);
  if (!mesh) return mesh.errors();
  sequence.mesh = std::move(*mesh);
  return sequence;
}

template <class Key>
bool ascend(const Key* keys, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    if (!std::isfinite(keys[i].mTime) || (i > 0 && keys[i].mTime < keys[i - 1].mTime)) return false;
  return true;
}

/// The node whose keys do not ascend in time, or nothing.
std::optional<std::string> node_out_of_order(const aiAnimation& animation) {
  for (unsigned i = 0; i < animation.mNumChannels; ++i) {
    const aiNodeAnim& node = *animation.mChannels[i];
    if (!ascend(node.mPositionKeys, node.mNumPositionKeys) ||
        !ascend(node.mRotationKeys, node.mNumRotationKeys) ||
        !ascend(node.mScalingKeys, node.mNumScalingKeys))
      return node.mNodeName.C_Str();
  }
  for (unsigned i = 0; i < animation.mNumMorphMeshChannels; ++i) {
    const aiMeshMorphAnim& mesh = *animation.mMorphMeshChannels[i];
    if (!ascend(mesh.mKeys, mesh.mNumKeys)) return mesh.mName.C_Str();
  }
  return std::nullopt;
}

Result<const aiAnimation*> choose(const aiScene& scene, const std::string& name, const std::string& file) {
  if (scene.mNumAnimations == 0)
    return failure({file}, "holds no animation",
                   "export it with its animation, or give it as \"mesh\" if it does not deform");
  std::vector<std::string> names;
  for (unsigned i = 0; i < scene.mNumAnimations; ++i) {
    names.emplace_back(scene.mAnimations[i]->mName.C_Str());
    if (name.empty() || name == names.back()) return scene.mAnimations[i];
  }
  return failure({file}, "holds no animation " + in_quotes(name), "it holds " + quoted_list(names));
}

}  // namespace

Result<RawSequence> read_animation(const std::filesystem::path& file, const std::string& name,
                                   double frame_rate, Diagnostics* warnings) {
  // Opening it first gives missing files the same message for all formats.
  if (const Result<std::string> bytes = read_file(file); !bytes) return bytes.errors();
  Assimp::Importer importer;
  const Result<const aiScene*> scene = open_with_assimp(file, importer);
  if (!scene) return scene.errors();
  const Result<const aiAnimation*> animation = choose(**scene, name, file.string());
  if (!animation) return animation.errors();
  if (const auto node = node_out_of_order(**animation))
    return failure({file.string()},
                   "the times of the keys of node " + in_quotes(*node) + " do not ascend or are not finite",
                   "export the animation again");
  const double ticks_a_second = (*animation)->mTicksPerSecond > 0 ? (*animation)->mTicksPerSecond : 25;
  const double frames = (*animation)->mDuration / ticks_a_second * frame_rate;
  constexpr double kMostFrames = 1e5;
  if (!(frames >= 0 && frames < kMostFrames))
    return failure(
        {file.string()}, fmt::format("the animation takes {:.3g} frames", frames),
        fmt::format("expected at most {:.3g}: lower \"frame_rate\", or export a part of it", kMostFrames));
  Player player(**scene, **animation);
  std::vector<Vec3f> positions;
  constexpr double kRounding = 1e-4;  // of a frame: glTF keeps times as floats
  const auto last = static_cast<int>(std::ceil(frames - kRounding));
  for (int k = 0; k <= last; ++k) player.append_positions(k / frame_rate * ticks_a_second, positions);
  for (size_t i = 0; i < positions.size(); ++i)
    if (!positions[i].allFinite())
      return failure(
          {file.string()},
          fmt::format("vertex {} of the animation is not finite at {:.3g} s", i % player.vertex_count(),
                      static_cast<double>(i / player.vertex_count()) / frame_rate),
          "export it again");
  return collect(player, positions, file.string(), warnings);
}

}  // namespace heddle
