#pragma once

#include <heddle/math/types.h>

#include <array>

namespace heddle {

/// Holds two points of surfaces apart during one step: a spring as stiff as the matter around it, which wants
/// their distance along a normal to be `target` at the end of the step.
struct PairSpring {
  std::array<int, 4> particles{};
  std::array<double, 4> weights{};
  Vec3 normal = Vec3::UnitZ();
  double gap = 0;       // m, distance at the beginning
  double target = 0;    // m
  double strength = 0;  // kg, impulse per speed of intrusion; 0: as much as the matter around asks for
  double impulse = 0;   // N s, that the step gave; written by the integrator
};

}  // namespace heddle
