#pragma once

#include <heddle/math/types.h>

#include <numbers>

namespace heddle {

inline constexpr double kVacuumPermeability = 4e-7 * std::numbers::pi;  // mu0, N/A2

/// mu0 / 4 pi, N/A2.
inline constexpr double kDipoleFactor = 1e-7;

/// A small magnet.
struct Dipole {
  Vec3 position = Vec3::Zero();  // m
  Vec3 moment = Vec3::Zero();    // A m2
};

/// What acts on a body.
struct Wrench {
  Vec3 force = Vec3::Zero();   // N
  Vec3 torque = Vec3::Zero();  // N m, about the origin of the body

  Wrench& operator+=(const Wrench& other) {
    force += other.force;
    torque += other.torque;
    return *this;
  }
};

/// Flux density B at an offset (m) from a dipole, T (Thomaszewski 2010, (6.4)); outside a ball of constant
/// magnetisation exactly its field.
Vec3 dipole_field(const Vec3& offset, const Vec3& moment);

/// What two dipoles do to each other.
struct DipoleEffect {
  Vec3 force = Vec3::Zero();         // N, on the first; the second gets the opposite
  Vec3 torque = Vec3::Zero();        // N m, on the first, about its place
  Vec3 other_torque = Vec3::Zero();  // N m, on the second, about its place
};

/// `offset` leads from the second to the first, m (Thomaszewski 2010, (6.10), (6.11)). Dipoles nearer than
/// `closest` (m) act as if pushed apart to that distance, each by half of it, along the line between them:
/// the effect is bounded and force and torque stay in balance. Two at the same place do nothing to each other
/// if `closest` is above 0.
DipoleEffect dipole_effect(const Vec3& offset, const Vec3& first, const Vec3& second, double closest = 0);

}  // namespace heddle
