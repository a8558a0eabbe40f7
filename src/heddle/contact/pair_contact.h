#pragma once

#include <heddle/contact/friction.h>
#include <heddle/geometry/proximity.h>

#include <array>
#include <span>

namespace heddle {

/// The part of a vector across a unit normal.
inline Vec3 tangential(const Vec3& vector, const Vec3& normal) {
  return vector - normal.dot(vector) * normal;
}

/// Two sides of surface that must not come nearer: the weighted sum of the four vertices, taken along the
/// normal, must be at least `reach` at the end of the step. Weights as in Proximity.
struct PairContact {
  std::array<int, 4> vertices{};
  std::array<double, 4> weights{};
  Vec3 normal = Vec3::UnitZ();  // from the second side to the first
  double reach = 0;             // m
  double slack = 0;             // m, may lack at the end of the iteration
  Friction friction;
  double pressure = 0;          // N s so far
  Vec3 rubbing = Vec3::Zero();  // N s so far, across the normal
};

/// A half-space that one particle must stay in at the end of the step: normal . x >= reach.
struct PlaneContact {
  int particle = 0;
  int obstacle = 0;
  Vec3 normal = Vec3::UnitZ();
  double reach = 0;  // m
  double slack = 0;  // m, may lack at the end of the iteration
  Friction friction;
  Vec3 surface_velocity = Vec3::Zero();  // m/s
  double pressure = 0;                   // N s so far
  Vec3 rubbing = Vec3::Zero();           // N s so far, across the normal
};

/// The first particle that ended beyond its plane by more than half of its clearance; -1 if there is none.
int particle_beyond(std::span<const PlaneContact> planes, std::span<const Vec3> x);

}  // namespace heddle
