#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// x -> rotation * x + translation. Translation in m.
struct RigidTransform {
  Quat rotation = Quat::Identity();
  Vec3 translation = Vec3::Zero();

  Vec3 point(const Vec3& local) const { return rotation * local + translation; }
  Vec3 direction(const Vec3& local) const { return rotation * local; }
  Vec3 point_to_local(const Vec3& world) const { return rotation.conjugate() * (world - translation); }
  Vec3 direction_to_local(const Vec3& world) const { return rotation.conjugate() * world; }
  RigidTransform operator*(const RigidTransform& inner) const {
    return {rotation * inner.rotation, point(inner.translation)};
  }
};

/// Rotation about the axis of `degrees` by its length: the scene's way to write rotations.
inline Quat rotation_from_degrees(const Vec3& degrees) {
  const double angle = degrees.norm() * (3.14159265358979323846 / 180.0);
  if (angle == 0.0) return Quat::Identity();
  return Quat(Eigen::AngleAxisd(angle, degrees.normalized()));
}

}  // namespace heddle
