#pragma once

#include <heddle/io/run_intersections.h>

#include <string>

namespace heddle {

/// {"frame": N, "pairs": count, "faces": [[object, face], …]}: the triangles of the frame that intersect.
std::string intersections_json(const FrameIntersections& found);

}  // namespace heddle
