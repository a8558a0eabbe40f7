#pragma once

#include <heddle/geometry/shapes.h>
#include <heddle/rigid/free_rotation.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// The surface of a body or an obstacle for contact between solids: a shape, or triangles. In own
/// coordinates, m.
struct SolidSurface {
  std::optional<ShapeVariant> shape;
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
};

/// What solids bring into contact with solids.
struct SolidTouch {
  double resting = 0.3, sliding = 0.3;  // 1, friction at rest and while sliding
  double restitution = 0;               // 1, of the normal speed
};

/// A rigid body, constant.
struct RigidBody {
  std::string name;
  SolidSurface surface;
  double mass = 1;             // kg
  Vec3 centre = Vec3::Zero();  // m, of mass, in own coordinates
  PrincipalInertia inertia;    // about the centre
  SolidTouch touch;
  double damping = 0;          // 1/s, of velocity
  double angular_damping = 0;  // 1/s, of angular momentum

  double inner_size() const;  // m, the radius of a ball that is about as thick
};

/// Something that bodies collide with and that moves as told.
struct RigidObstacle {
  SolidSurface surface;
  SolidTouch touch;
};

}  // namespace heddle
