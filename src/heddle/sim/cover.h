#pragma once

#include <heddle/geometry/shapes.h>

#include <vector>

namespace heddle {

/// A part of an obstacle over which cloth bends.
struct Bend {
  enum class Kind {
    body,  // round all over: every edge that lies on it bridges a part of it
    rim    // a right-angled turn between two flat sides
  };
  Kind kind = Kind::body;
  double radius = 0;     // m
  double available = 0;  // m, to which the radius of a rim could be raised; 0 for bodies
};

/// The bends of a shape: a cylinder has a body and a rim, a plane has none.
std::vector<Bend> bends_of(const ShapeVariant& shape);

/// Only vertices are kept at the clearance c from an obstacle. This is how much nearer the middle of a
/// straight edge of length l comes to a bend of radius r (m), at the worst place. Both ends lie on the bend
/// of radius R = r + c, so that the edge is a chord of it:
///   R - sqrt(R^2 - l^2/4), which is l^2/(8 R) for short edges.
/// A rim turns by 90 degrees: an edge longer than sqrt(2) R has its ends on the flat sides next to it:
///   l/2 - (sqrt(2) - 1) R.
double sag(const Bend& bend, double edge, double clearance);

/// What the cloth has, and what would cover the bend; all in m.
struct Cover {
  double edge = 0;       // mean length of the edges
  double thickness = 0;  // the smallest of its fabrics
  double clearance() const;
};

/// True if the bend would be seen through the cloth: where sag - c > 0 the body is outside of the edge, over
/// a width of about sqrt(l^2 - 8 R c). From half an edge on, sag > 4/3 c, that is seen.
bool shows(const Bend& bend, const Cover& cloth);

// What would do instead of the cloth or bend there is, each with the rest left as it is; m.
double radius_that_covers(const Bend& bend, const Cover& cloth);
double edge_that_covers(const Bend& bend, const Cover& cloth);
double thickness_that_covers(const Bend& bend, const Cover& cloth);

}  // namespace heddle
