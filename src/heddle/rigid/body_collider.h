#pragma once

#include <heddle/math/rigid_transform.h>
#include <heddle/rigid/rigid_body.h>

#include <memory>
#include <span>
#include <vector>

namespace heddle {

/// A point at which two solids are near each other.
struct SolidContact {
  int first = 0;                // body
  int second = 0;               // body, or, from the number of bodies on, obstacle
  Vec3 place = Vec3::Zero();    // m
  Vec3 normal = Vec3::UnitZ();  // unit, from the second to the first
  double gap = 0;               // m, negative: how deep they are in each other
};

/// Finds where solids touch: the part of rigid contact that an engine does.
class BodyCollider {
 public:
  virtual ~BodyCollider() = default;
  /// Contacts of all pairs, by ascending pairs: a function of the poses and of nothing before. Replaces the
  /// content of `contacts`.
  virtual void collide(std::span<const RigidTransform> bodies, std::span<const RigidTransform> obstacles,
                       std::vector<SolidContact>& contacts) = 0;
};

}  // namespace heddle
