#pragma once

#include <heddle/mesh/topology.h>

#include <span>

namespace heddle {

/// How richly a surface is folded, 1/m: its mean absolute curvature, of hinges with edges of length l, angles
/// theta and all faces of area A
///     sum l |theta| / (2 sum A).
/// Zero if it is flat, 1/(2 r) on a cylinder and 1/r on a ball of radius r. Waves of height a and length w
/// contribute about 4 pi a / w^2: of equally steep folds the small ones count most.
double fold_detail(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                   const Topology& topology);

}  // namespace heddle
