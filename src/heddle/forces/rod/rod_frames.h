#pragma once

#include <heddle/math/types.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

using SegmentEnds = std::array<int, 2>;

/// Frames of a row of segments with d3 along each of them and no twist from one to the next, but for `twist`
/// (rad) spread over the length. In a closed row, whose last segment is followed by the first, what is
/// missing for the frames to meet is spread over the length, too.
std::vector<Quat> transported_frames(std::span<const Vec3> edges, bool closed, double twist = 0);

/// The same frames turned about d3 of each, growing evenly over the length to `angle` (rad).
void add_twist(std::span<const Vec3> edges, bool closed, double angle, std::vector<Quat>& frames);

/// The shortest rotation after `frame` that brings its d3 into a direction.
Quat turned_to(const Quat& frame, const Vec3& direction);

}  // namespace heddle
