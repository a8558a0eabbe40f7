#pragma once

#include <heddle/math/types.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// A point on an integer lattice: predicates on it are exact, so the result is the same on every machine.
using LatticePoint = std::array<int64_t, 2>;

inline constexpr int64_t kLatticeLimit = int64_t{1} << 28;

/// Delaunay triangulation of a rectangle, counter-clockwise, in time about n log n.
/// The first four points are its corners, counter-clockwise from the lowest left; all others lie inside or on
/// its border, no two alike, coordinates from 0 to kLatticeLimit. Neighbours in the list should be neighbours
/// in the plane, else finding a point's place becomes slow.
std::vector<Triangle> delaunay_in_rectangle(std::span<const LatticePoint> points);

/// Puts points in an order in which neighbours in the list are neighbours in the plane.
void sort_along_curve(std::span<LatticePoint> points);

}  // namespace heddle
