#include <heddle/io/assimp_reader.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/gltf_check.h>
#include <heddle/io/mesh_collector.h>

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heddle {
namespace {

constexpr const char* kDamaged =
    "the file is damaged, cut off, or of another kind than its name says: export it again";

class SceneCollector {
 public:
  SceneCollector(const aiScene& scene, const std::string& name) : scene_(scene), mesh_(name) {}

  /// What is wrong, or nothing.
  std::string add_node(const aiNode& node, const aiMatrix4x4& parent) {
    const aiMatrix4x4 transform = parent * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      const std::string problem = add_mesh(*scene_.mMeshes[node.mMeshes[i]], transform, node.mName.C_Str());
      if (!problem.empty()) return problem;
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i) {
      const std::string problem = add_node(*node.mChildren[i], transform);
      if (!problem.empty()) return problem;
    }
    return {};
  }

  Result<TriangleMesh> finish(Diagnostics* warnings) { return mesh_.finish(warnings); }

 private:
  int vertex_at(const aiVector3D& point) {
    const std::array<float, 3> key{point.x + 0.0f, point.y + 0.0f, point.z + 0.0f};  // -0 becomes 0
    const auto [entry, is_new] = vertices_.try_emplace(key, mesh_.mesh.vertex_count());
    if (is_new) mesh_.add_vertex({point.x, point.y, point.z});
    return entry->second;
  }

  std::vector<std::string> groups_of(const aiMesh& mesh, const std::string& node) const {
    std::vector<std::string> groups{node, mesh.mName.C_Str()};
    if (mesh.mMaterialIndex < scene_.mNumMaterials)
      groups.emplace_back(scene_.mMaterials[mesh.mMaterialIndex]->GetName().C_Str());
    std::erase(groups, "");
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
  }

  std::string add_mesh(const aiMesh& mesh, const aiMatrix4x4& transform, const std::string& node) {
    const std::vector<std::string> groups = groups_of(mesh, node);
    std::vector<int> vertices;
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D point = transform * mesh.mVertices[i];
      if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z))
        return fmt::format("vertex {} of \"{}\" is not finite", i, node);
      vertices.push_back(vertex_at(point));
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices < 3) continue;  // points and lines
      std::vector<int> corners;
      std::vector<Vec2> uvs;
      for (unsigned k = 0; k < face.mNumIndices; ++k) {
        const unsigned index = face.mIndices[k];
        if (index >= mesh.mNumVertices) return fmt::format("a face of \"{}\" names vertex {}", node, index);
        corners.push_back(vertices[index]);
        if (mesh.HasTextureCoords(0))
          uvs.emplace_back(mesh.mTextureCoords[0][index].x, mesh.mTextureCoords[0][index].y);
      }
      if (std::string problem = mesh_.add_polygon(corners, uvs, groups); !problem.empty()) return problem;
    }
    return {};
  }

  const aiScene& scene_;
  MeshCollector mesh_;
  std::map<std::array<float, 3>, int> vertices_;
};

GltfFacts facts_of(const std::filesystem::path& file, const std::string& extension) {
  if (extension != ".gltf" && extension != ".glb") return {};
  const Result<std::string> bytes = read_file(file);
  return bytes ? gltf_facts(*bytes) : GltfFacts{};
}

size_t face_count(const aiScene& scene) {
  size_t count = 0;
  for (unsigned i = 0; i < scene.mNumMeshes; ++i) count += scene.mMeshes[i]->mNumFaces;
  return count;
}

}  // namespace

Result<const aiScene*> open_with_assimp(const std::filesystem::path& file, Assimp::Importer& importer) {
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
  const std::string extension = file.extension().string();
  if (!importer.IsExtensionSupported(extension))
    return failure({file.string()}, fmt::format("is of an unknown kind \"{}\"", extension),
                   "convert it to .obj, .ply, .glb, .fbx or .stl");
  const GltfFacts facts = facts_of(file, extension);
  if (!facts.problem.empty())
    return failure({file.string()}, facts.problem, "export it again, with its weights or without its skin");
  const aiScene* scene = nullptr;
  try {
    scene = importer.ReadFile(file.string(), aiProcess_ValidateDataStructure);
  } catch (const std::exception& error) {
    return failure({file.string()}, fmt::format("cannot be read: {}", error.what()), kDamaged);
  }
  if (!scene || !scene->mRootNode)
    return failure({file.string()}, fmt::format("cannot be read: {}", importer.GetErrorString()), kDamaged);
  if (facts.triangles && face_count(*scene) < *facts.triangles)
    return failure({file.string()},
                   fmt::format("{} of its {} triangles name vertices that do not exist",
                               *facts.triangles - face_count(*scene), *facts.triangles),
                   kDamaged);
  return scene;
}

Result<TriangleMesh> read_with_assimp(const std::filesystem::path& file, Diagnostics* warnings) {
  Assimp::Importer importer;
  const Result<const aiScene*> scene = open_with_assimp(file, importer);
  if (!scene) return scene.errors();
  SceneCollector collector(**scene, file.string());
  const std::string problem = collector.add_node(*(*scene)->mRootNode, aiMatrix4x4());
  if (!problem.empty()) return failure({file.string()}, problem);
  return collector.finish(warnings);
}

}  // namespace heddle
