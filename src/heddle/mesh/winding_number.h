#pragma once

#include <heddle/math/types.h>

#include <span>

namespace heddle {

/// How often a surface winds around a point: 1 inside a closed surface whose fronts look out, -1 if they look
/// in, 0 outside; in between for open surfaces (A. Jacobson et al., Robust inside-outside segmentation using
/// generalized winding numbers, 2013).
double winding_number(const Vec3& point, std::span<const Vec3> positions,
                      std::span<const Triangle> triangles);

}  // namespace heddle
