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
  double gap = 0;      // m, distance at the beginning
  double target = 0;   // m
  double impulse = 0;  // N s, that the step gave; written by the integrator
};

}  // namespace heddle
