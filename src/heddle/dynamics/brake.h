#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// Slows a particle down that slides on a surface: a force against its velocity relative to the surface.
/// Unlike a given friction force it can stop the particle but never drive it back.
struct Brake {
  int particle = 0;
  Vec3 normal = Vec3::UnitZ();           // of the surface; acts across it
  Vec3 surface_velocity = Vec3::Zero();  // m/s
  double strength = 0;                   // N s/m
};

}  // namespace heddle
