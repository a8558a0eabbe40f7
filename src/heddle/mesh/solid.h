#pragma once

#include <heddle/core/result.h>
#include <heddle/geometry/signed_distance.h>
#include <heddle/mesh/measures.h>

#include <memory>
#include <string>

namespace heddle {

/// Volume and mass distribution of a solid of density 1 kg/m3.
struct VolumeProperties {
  double volume = 0;            // m3
  Vec3 centre = Vec3::Zero();   // m, of mass
  Mat3 inertia = Mat3::Zero();  // kg m2, about the centre
};

/// What a closed surface encloses, by the divergence theorem; negative where its fronts look in.
VolumeProperties volume_properties(std::span<const Vec3> positions, std::span<const Triangle> triangles);
/// Of a shape, from its formulas; not of the plane, which has no end.
VolumeProperties volume_properties(const ShapeVariant& shape);

/// A body with an inside: a shape, or a closed mesh. All lengths in m, in its own coordinates.
class Solid {
 public:
  virtual ~Solid() = default;
  /// m, negative inside.
  virtual double distance(const Vec3& point) const = 0;
  /// The same with the way out.
  virtual SurfacePoint nearest(const Vec3& point) const = 0;
  const BoundingBox& bounds() const { return bounds_; }
  const VolumeProperties& properties() const { return properties_; }

 protected:
  Solid(const BoundingBox& bounds, const VolumeProperties& properties)
      : bounds_(bounds), properties_(properties) {}

 private:
  BoundingBox bounds_;
  VolumeProperties properties_;
};

/// Refuses the plane.
Result<std::shared_ptr<const Solid>> make_solid(const ShapeVariant& shape, const SourceLocation& where);
/// Refuses meshes that are not closed, with what to do; `name` is shown with the messages. A mesh whose
/// fronts all look in is turned.
Result<std::shared_ptr<const Solid>> make_solid(const TriangleMesh& mesh, const std::string& name);

}  // namespace heddle
