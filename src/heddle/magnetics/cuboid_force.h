#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// A box along the axes, magnetised along z.
struct CuboidMagnet {
  Vec3 size{0.01, 0.01, 0.01};  // m
  double remanence = 1;         // T, B_r along +z; negative for the other way
};

/// The exact force on the second of two parallel cuboids, N, whose centre lies at `offset` (m) from that of
/// the first; they must not overlap, but may touch (G. Akoun and J.-P. Yonnet, 3D analytical calculation of
/// the forces exerted between two cuboidal magnets, 1984).
Vec3 cuboid_force(const CuboidMagnet& first, const CuboidMagnet& second, const Vec3& offset);

}  // namespace heddle
