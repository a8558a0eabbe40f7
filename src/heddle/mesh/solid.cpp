#include <heddle/mesh/solid.h>

#include <heddle/geometry/signed_distance.h>
#include <heddle/geometry/tessellate.h>
#include <heddle/geometry/triangle.h>
#include <heddle/mesh/check.h>
#include <heddle/mesh/nearest_face.h>
#include <heddle/mesh/topology.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle {

namespace {

class ShapeSolid : public Solid {
 public:
  ShapeSolid(const ShapeVariant& shape, const BoundingBox& bounds)
      : Solid(bounds, volume_properties(shape)), shape_(shape) {}

  double distance(const Vec3& point) const override { return signed_distance(shape_, point).distance; }
  SurfacePoint nearest(const Vec3& point) const override { return signed_distance(shape_, point); }

 private:
  ShapeVariant shape_;
};

BoundingBox box_of(const Sphere& sphere) {
  return {Vec3::Constant(-sphere.radius), Vec3::Constant(sphere.radius)};
}
BoundingBox box_of(const Box& box) {
  return {-0.5 * box.size, 0.5 * box.size};
}
BoundingBox box_of(const Capsule& capsule) {
  const Vec3 half(capsule.radius, capsule.radius, capsule.radius + 0.5 * capsule.length);
  return {-half, half};
}
BoundingBox box_of(const Cylinder& cylinder) {
  const Vec3 half(cylinder.radius, cylinder.radius, 0.5 * cylinder.height);
  return {-half, half};
}
BoundingBox box_of(const Plane&) {
  return {};
}

/// The side of the surface on which a point lies follows from the normal at its nearest point. Where that is
/// a corner or on an edge, the normals of the faces there are added, those of a corner by their angles (J.
/// Baerentzen and H. Aanaes, Signed distance computation using the angle weighted pseudonormal, 2005).
class MeshSolid : public Solid {
 public:
  MeshSolid(std::vector<Vec3> positions, std::vector<Triangle> triangles, const VolumeProperties& properties)
      : Solid(bounding_box(positions), properties),
        positions_(std::move(positions)),
        triangles_(std::move(triangles)),
        topology_(make_topology(static_cast<int>(positions_.size()), triangles_)),
        face_normals_(heddle::face_normals(positions_, triangles_)),
        vertex_normals_(positions_.size(), Vec3::Zero()),
        nearest_(positions_, triangles_, all_faces()) {
    for (size_t f = 0; f < triangles_.size(); ++f)
      for (size_t k = 0; k < 3; ++k) {
        const Vec3 a = edge_from(f, k), b = -edge_from(f, (k + 2) % 3);
        const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
        vertex_normals_[static_cast<size_t>(triangles_[f][k])] += angle * face_normals_[f];
      }
  }

  double distance(const Vec3& point) const override { return nearest(point).distance; }

  SurfacePoint nearest(const Vec3& point) const override {
    const NearestFace::Found found = nearest_.find(point);
    // The normal of the proximity leads from the surface to the point.
    const double side = std::copysign(1.0, found.proximity.normal.dot(normal_at(found)));
    return {side * found.proximity.distance, side * found.proximity.normal};
  }

 private:
  std::vector<int> all_faces() const {
    std::vector<int> faces(triangles_.size());
    std::iota(faces.begin(), faces.end(), 0);
    return faces;
  }
  Vec3 edge_from(size_t face, size_t corner) const {
    const Triangle& t = triangles_[face];
    return positions_[static_cast<size_t>(t[(corner + 1) % 3])] - positions_[static_cast<size_t>(t[corner])];
  }
  Vec3 normal_at(const NearestFace::Found& found) const {
    const auto face = static_cast<size_t>(found.triangle);
    size_t used = 0, unused = 0, only = 0;
    for (size_t k = 0; k < 3; ++k) {
      if (found.proximity.weights[k + 1] < 0)
        ++used, only = k;
      else
        unused = k;
    }
    if (used == 3) return face_normals_[face];
    if (used == 1) return vertex_normals_[static_cast<size_t>(triangles_[face][only])];
    const int across = topology_.face_across(found.triangle, static_cast<int>(unused));
    return face_normals_[face] + face_normals_[static_cast<size_t>(across)];
  }

  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
  Topology topology_;
  std::vector<Vec3> face_normals_, vertex_normals_;
  NearestFace nearest_;
};

}  // namespace

Result<std::shared_ptr<const Solid>> make_solid(const ShapeVariant& shape, const SourceLocation& where) {
  if (std::holds_alternative<Plane>(shape))
    return failure(where, "a plane has no end, so no volume", "use a flat box");
  const BoundingBox bounds = std::visit([](const auto& content) { return box_of(content); }, shape);
  return std::shared_ptr<const Solid>(std::make_shared<ShapeSolid>(shape, bounds));
}

Result<std::shared_ptr<const Solid>> make_solid(const TriangleMesh& mesh, const std::string& name) {
  Diagnostics found = check_mesh(mesh, name);
  if (found.has_errors()) return found;
  const Topology topology = make_topology(mesh.vertex_count(), mesh.triangles);
  if (!topology.boundary_edges.empty())
    return failure({name},
                   "the surface is open: " + std::to_string(topology.boundary_edges.size()) +
                       " edges have a face on one side only, so it encloses no volume",
                   "close its holes, or use a shape");
  std::vector<Triangle> triangles = mesh.triangles;
  VolumeProperties properties = volume_properties(mesh.positions, triangles);
  if (properties.volume < 0) {
    for (Triangle& t : triangles) std::swap(t[1], t[2]);
    properties = volume_properties(mesh.positions, triangles);
  }
  if (!(properties.volume > 0))
    return failure({name}, "the surface encloses no volume", "give it some thickness");
  return std::shared_ptr<const Solid>(
      std::make_shared<MeshSolid>(mesh.positions, std::move(triangles), properties));
}

}  // namespace heddle
