#pragma once

#include <heddle/math/types.h>

#include <array>

namespace heddle {

/// The corners of a triangle, m.
using TrianglePoints = std::array<Vec3, 3>;

// Exact answers, with exact.h's range of coordinates. Triangles are closed: touching in one point is an
// intersection. Triangles without area are the segments or points that they look like.

/// Have the triangles a point in common?
bool triangles_intersect(const TrianglePoints& a, const TrianglePoints& b);

/// For neighbours that share the vertex a[0] = b[0]: have they a point in common besides it? (A triangle
/// without area that holds its vertex a[0] between the other two may count as meeting itself there.)
bool triangles_intersect_beyond_vertex(const TrianglePoints& a, const TrianglePoints& b);

/// For neighbours that share the edge a[0] = b[0], a[1] = b[1]: have they a point in common besides it? That
/// is, do they lie in one plane, folded on each other?
bool triangles_intersect_beyond_edge(const TrianglePoints& a, const TrianglePoints& b);

/// Have the segment from p to q and the triangle a point in common?
bool segment_intersects_triangle(const Vec3& p, const Vec3& q, const TrianglePoints& triangle);

}  // namespace heddle
