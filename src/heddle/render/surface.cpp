#include <heddle/render/element_colours.h>
#include <heddle/render/surface.h>

#include <unordered_map>

namespace heddle {
namespace {

constexpr size_t kEnoughTriangles = 60000;  // cloth is refined while it has fewer
constexpr int kMostRefinements = 2;
constexpr float kCreaseCosine = 0.75f;  // sharper edges of obstacles stay sharp
constexpr float kNearCloth = 0.6f;      // of the cloth's size: how much of the obstacles is framed

Vec3f scaled_normal(const Surface& surface, const Triangle& triangle) {
  const Vec3f& a = surface.positions[static_cast<size_t>(triangle[0])];
  const Vec3f& b = surface.positions[static_cast<size_t>(triangle[1])];
  const Vec3f& c = surface.positions[static_cast<size_t>(triangle[2])];
  return (b - a).cross(c - a);
}

std::vector<Vec3f> vertex_normals(const Surface& surface) {
  std::vector<Vec3f> normals(surface.positions.size(), Vec3f::Zero());
  for (const Triangle& triangle : surface.triangles) {
    const Vec3f normal = scaled_normal(surface, triangle);
    for (int vertex : triangle) normals[static_cast<size_t>(vertex)] += normal;
  }
  for (Vec3f& normal : normals) normal = normal.squaredNorm() > 0 ? normal.normalized() : Vec3f::UnitZ();
  return normals;
}

/// Splits every triangle in four; new vertices lie on the cubic through both ends with the ends' tangent
/// planes.
class Refiner {
 public:
  explicit Refiner(Surface& surface) : surface_(surface), normals_(vertex_normals(surface)) {}

  void run() {
    const std::vector<Triangle> coarse = std::move(surface_.triangles);
    const std::vector<std::int32_t> materials = std::move(surface_.face_material);
    surface_.triangles.clear();
    surface_.face_material.clear();
    for (size_t face = 0; face < coarse.size(); ++face) {
      const auto [a, b, c] = coarse[face];
      const int ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
      surface_.triangles.insert(surface_.triangles.end(),
                                {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
      if (!materials.empty()) surface_.face_material.insert(surface_.face_material.end(), 4, materials[face]);
    }
  }

 private:
  int midpoint(int i, int j) {
    const auto low = static_cast<std::uint64_t>(std::min(i, j)),
               high = static_cast<std::uint64_t>(std::max(i, j));
    const auto [place, added] =
        middles_.try_emplace((low << 32) | high, static_cast<int>(surface_.positions.size()));
    if (added) append(low, high);
    return place->second;
  }

  void append(size_t i, size_t j) {
    const Vec3f a = surface_.positions[i], b = surface_.positions[j];
    const Vec3f& na = normals_[i];
    const Vec3f& nb = normals_[j];
    surface_.positions.push_back(0.5f * (a + b) + 0.125f * ((b - a).dot(nb) * nb - (b - a).dot(na) * na));
    surface_.unrounded.push_back(0.5f * (surface_.unrounded[i] + surface_.unrounded[j]));
    if (!surface_.uv.empty()) surface_.uv.push_back(0.5f * (surface_.uv[i] + surface_.uv[j]));
    if (!surface_.values.empty()) surface_.values.push_back(0.5f * (surface_.values[i] + surface_.values[j]));
  }

  Surface& surface_;
  std::vector<Vec3f> normals_;
  std::unordered_map<std::uint64_t, int> middles_;
};

void set_creased_normals(Surface& surface) {
  std::vector<Vec3f> face_normals;
  std::vector<std::vector<int>> faces_around(surface.positions.size());
  for (const Triangle& triangle : surface.triangles) {
    for (int vertex : triangle)
      faces_around[static_cast<size_t>(vertex)].push_back(static_cast<int>(face_normals.size()));
    face_normals.push_back(scaled_normal(surface, triangle));
  }
  for (size_t face = 0; face < surface.triangles.size(); ++face) {
    const Vec3f own = face_normals[face].normalized();
    for (int vertex : surface.triangles[face]) {
      Vec3f sum = Vec3f::Zero();
      for (int other : faces_around[static_cast<size_t>(vertex)]) {
        const Vec3f& normal = face_normals[static_cast<size_t>(other)];
        if (normal.dot(own) >= kCreaseCosine * normal.norm()) sum += normal;
      }
      surface.corner_normals.push_back(sum.squaredNorm() > 0 ? sum.normalized() : own);
    }
  }
}

Surface placed(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  Surface surface;
  surface.triangles = object.triangles;
  surface.positions.reserve(object.rest_positions.size());
  for (size_t i = 0; i < object.rest_positions.size(); ++i)
    surface.positions.push_back(world_position(object, frame, i).cast<float>());
  return surface;
}

}  // namespace

void set_smooth_normals(Surface& surface) {
  const std::vector<Vec3f> normals = vertex_normals(surface);
  surface.corner_normals.reserve(3 * surface.triangles.size());
  for (const Triangle& triangle : surface.triangles)
    for (int vertex : triangle) surface.corner_normals.push_back(normals[static_cast<size_t>(vertex)]);
}

Surface cloth_surface(const SnapshotObject& object, const SnapshotObjectFrame& frame, ColourField field) {
  Surface surface;
  surface.cloth = true;
  surface.positions = surface.unrounded = frame.positions;
  surface.triangles = object.triangles;
  surface.uv = object.uv;
  surface.values = vertex_values(field, object, frame);
  surface.face_colours = face_colours(field, object, frame);
  surface.face_material = object.face_material;
  const int refinements = is_of_kinds(field) ? 0 : kMostRefinements;
  for (int i = 0; i < refinements && surface.triangles.size() < kEnoughTriangles; ++i) Refiner(surface).run();
  set_smooth_normals(surface);
  return surface;
}

Surface obstacle_surface(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  Surface surface = placed(object, frame);
  set_creased_normals(surface);
  return surface;
}

Bounds bounds_of(const Surface& surface) {
  Bounds bounds;
  for (const Vec3f& position : surface.positions) bounds.extend(position);
  return bounds;
}

std::optional<float> level_height(const Surface& surface) {
  const Bounds bounds = bounds_of(surface);
  if (bounds.isEmpty()) return std::nullopt;
  const Vec3f size = bounds.sizes();
  if (size.z() > 1e-4f * size.head<2>().minCoeff()) return std::nullopt;
  return bounds.center().z();
}

Bounds snapshot_bounds(const SnapshotModel& model, const Snapshot& snapshot) {
  Bounds cloth, obstacles;
  for (size_t i = 0; i < model.objects.size(); ++i)
    for (const Vec3f& position : snapshot.objects[i].positions)
      if (model.objects[i].kind == SnapshotObject::Kind::cloth) cloth.extend(position);
  const float reach = cloth.isEmpty() ? 0 : kNearCloth * cloth.sizes().norm();
  const Bounds near(cloth.min().array() - reach, cloth.max().array() + reach);
  for (size_t i = 0; i < model.objects.size(); ++i) {
    if (model.objects[i].kind != SnapshotObject::Kind::obstacle) continue;
    const Surface surface = placed(model.objects[i], snapshot.objects[i]);
    if (level_height(surface)) continue;
    const Bounds box = bounds_of(surface);
    obstacles.extend(cloth.isEmpty() ? box : box.intersection(near));
  }
  return cloth.merged(obstacles);
}

}  // namespace heddle
