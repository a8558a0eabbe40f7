#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// A particle with a clock of its own: between the events that touch it, it falls freely.
struct alignas(64) MovingParticle {
  Vec3 x = Vec3::Zero();             // m, at its time
  Vec3 v = Vec3::Zero();             // m/s, before what is pending
  Vec3 impulse = Vec3::Zero();       // N s, pending: given at its time
  Vec3 acceleration = Vec3::Zero();  // m/s2, the same until the particles meet in time again
  double time = 0;                   // s
  double mass = 1;                   // kg
  int rule = -1;                     // of its velocity, or none

  Vec3 velocity() const { return v + impulse / mass; }
  /// At a later time, if nothing happens until then.
  Vec3 position_at(double later) const {
    const double wait = later - time;
    return x + wait * (velocity() + 0.5 * wait * acceleration);
  }
};

}  // namespace heddle
