#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// Slows a particle down that slides on a surface: a force against its velocity relative to the surface, in
/// one direction. Unlike a given friction force it can stop the particle but never drive it back.
struct Brake {
  int particle = 0;
  Vec3 direction = Vec3::UnitX();        // unit
  Vec3 surface_velocity = Vec3::Zero();  // m/s
  double strength = 0;                   // N s/m
  double impulse = 0;                    // N s, that the step gave; written by the integrator
};

}  // namespace heddle
