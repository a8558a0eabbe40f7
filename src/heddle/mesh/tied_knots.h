#pragma once

#include <heddle/math/types.h>

#include <string>
#include <vector>

namespace heddle {

// Loose knots as they are tied, in units of the diameter of the rope; strands keep more than one diameter
// from each other and from themselves.

/// Points along one of the strands, which are numbered from 1. Kinds: double_fisherman (two ropes along x,
/// each tied about the other), prusik (1: the cord whose two ends hang along -z, 2: the rope along x that it
/// grips), shoelace (a bow of two laces that come from -x and +x; their short ends lie at -y). `standing` is
/// how far the ends reach from the knot.
std::vector<Vec3> tied_knot_points(const std::string& kind, int strand, double standing);

}  // namespace heddle
