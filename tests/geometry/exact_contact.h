#pragma once

#include <heddle/geometry/proximity.h>

namespace heddle::test {

// Do the sides of a pair touch (distance 0) at any time in [0, 1], when every vertex moves on a straight line
// from x0 to x1? Decided in whole numbers; for finite coordinates that are not extremely small or large.
bool exact_vertex_triangle_contact(const PairPoints& x0, const PairPoints& x1);
bool exact_edge_edge_contact(const PairPoints& x0, const PairPoints& x1);

}  // namespace heddle::test
