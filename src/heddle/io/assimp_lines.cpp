#include <heddle/io/assimp_reader.h>

#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>

#include <array>
#include <cmath>
#include <map>

namespace heddle {
namespace {

class LineCollector {
 public:
  explicit LineCollector(const aiScene& scene) : scene_(scene) {}

  /// What is wrong, or nothing.
  std::string add_node(const aiNode& node, const aiMatrix4x4& parent) {
    const aiMatrix4x4 transform = parent * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i)
      if (std::string problem = add_lines(*scene_.mMeshes[node.mMeshes[i]], transform, node.mName.C_Str());
          !problem.empty())
        return problem;
    for (unsigned i = 0; i < node.mNumChildren; ++i)
      if (std::string problem = add_node(*node.mChildren[i], transform); !problem.empty()) return problem;
    return {};
  }

  CurveNet net;

 private:
  std::string add_lines(const aiMesh& mesh, const aiMatrix4x4& transform, const std::string& node) {
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 2) continue;  // points and faces
      std::array<int, 2> ends{};
      for (unsigned k = 0; k < 2; ++k) {
        const unsigned index = face.mIndices[k];
        if (index >= mesh.mNumVertices) return fmt::format("a line of \"{}\" names vertex {}", node, index);
        const aiVector3D point = transform * mesh.mVertices[index];
        if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z))
          return fmt::format("vertex {} of \"{}\" is not finite", index, node);
        ends[k] = point_at(point);
      }
      net.segments.push_back(ends);
    }
    return {};
  }

  int point_at(const aiVector3D& point) {
    const std::array<float, 3> key{point.x + 0.0f, point.y + 0.0f, point.z + 0.0f};  // -0 becomes 0
    const auto [entry, is_new] = points_.try_emplace(key, static_cast<int>(net.points.size()));
    if (is_new) net.points.emplace_back(point.x, point.y, point.z);
    return entry->second;
  }

  const aiScene& scene_;
  std::map<std::array<float, 3>, int> points_;
};

}  // namespace

Result<CurveNet> read_lines_with_assimp(const std::filesystem::path& file) {
  Assimp::Importer importer;
  const Result<const aiScene*> scene = open_with_assimp(file, importer);
  if (!scene) return scene.errors();
  LineCollector collector(**scene);
  if (const std::string problem = collector.add_node(*(*scene)->mRootNode, aiMatrix4x4()); !problem.empty())
    return failure({file.string()}, problem);
  if (!collector.net.segments.empty()) return std::move(collector.net);
  return failure({file.string()}, "the file holds no lines",
                 "export the curve as edges or lines instead of faces, in Blender with Loose Edges");
}

}  // namespace heddle
