#pragma once

#include <heddle/math/animated.h>
#include <heddle/math/value_traits.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Chooses vertices or faces; an element is chosen if any filled member contains it.
struct Selection {
  std::vector<int> indices;
  std::string group;          // name of a face group of the mesh file
  std::vector<Vec3> box;      // two corners in world space at the start, m
  std::vector<Vec2> uv_box;   // two corners in rest coordinates, m
  std::vector<Vec3> nearest;  // the element nearest to each point, m
  bool all = false;
  SourceLocation where;
  static void describe(Describer<Selection>& d);
};

/// Vertices that follow a motion, given relative to where they start.
struct PinDescription {
  Selection vertices;
  Motion motion;
  Vec3 centre{0, 0, 0};           // centre of the rotation, m
  std::optional<double> release;  // s: after this time they are free
  SourceLocation where;
  static void describe(Describer<PinDescription>& d);
};

/// Vertices that move with an obstacle or a body.
struct AttachmentDescription {
  Selection vertices;
  std::string obstacle;
  std::optional<double> release;  // s
  SourceLocation where;
  static void describe(Describer<AttachmentDescription>& d);
};

}  // namespace heddle
