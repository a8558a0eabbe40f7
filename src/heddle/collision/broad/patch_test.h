#pragma once

#include <heddle/geometry/kdop.h>
#include <heddle/geometry/normal_cone.h>
#include <heddle/math/types.h>

#include <span>
#include <vector>

namespace heddle {

/// Bounds of a moving piece of contour, seen along the normals, in eight directions of the plane.
using Swath = Reach<8>;

/// Memory of one test, kept by the caller.
struct PatchScratch {
  std::vector<Vec2> begin, end;  // m, about the moving centre
  std::vector<Swath> edges, blocks;
};

/// Is a patch of triangles proven to stay `distance` (m) away from itself? A no means nothing.
///
/// A patch has no two primitives without a common vertex nearer than d, at any moment of the step, if
///  1. all normals have a positive product with one axis (the cone is not open),
///  2. seen along the axis its contour is one loop whose edges, unless they are neighbours, stay d apart,
///  3. seen along the axis no triangle is lower than d; (cosine of the cone) * (lowest altitude) bounds that.
/// By 1 and 2 each point of the view is covered at most once (the number of layers is the winding number of
/// the contour), so a straight way from a vertex to a strange triangle crosses its ring (3) or the contour
/// (2). 1 alone misses concave patches that close up in their plane (Eurographics 2002 tutorial, 3.5).
///
/// If nothing moves, begin and end should be the same array. `contour`: the vertices of the one loop, the
/// patch on their left, none twice.
bool keeps_apart(std::span<const int> contour, const NormalCone& cone, double distance,
                 std::span<const Vec3> begin, std::span<const Vec3> end, PatchScratch& scratch);

}  // namespace heddle
