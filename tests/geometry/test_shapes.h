#pragma once

#include <heddle/geometry/shapes.h>

#include <string>
#include <vector>

namespace heddle {

struct NamedShape {
  std::string name;
  ShapeVariant shape;
};

/// Every kind of shape, sharp, rounded, and rounded until nothing flat is left.
inline std::vector<NamedShape> closed_shapes() {
  return {
      {"sphere", Sphere{0.7}},
      {"sharp_box", Box{{1.0, 0.6, 1.4}, 0.0}},
      {"rounded_box", Box{{1.0, 0.6, 1.4}, 0.1}},
      {"fully_rounded_box", Box{{1.0, 0.6, 1.4}, 0.3}},
      {"ball_box", Box{{0.8, 0.8, 0.8}, 0.4}},
      {"capsule", Capsule{0.3, 0.9}},
      {"capsule_without_length", Capsule{0.4, 0.0}},
      {"sharp_cylinder", Cylinder{0.4, 1.2, 0.0}},
      {"flat_cylinder", Cylinder{0.8, 0.2, 0.0}},
      {"rounded_cylinder", Cylinder{0.4, 1.2, 0.1}},
      {"round_ended_cylinder", Cylinder{0.4, 1.2, 0.4}},
      {"tablet", Cylinder{0.8, 0.3, 0.15}},
  };
}

}  // namespace heddle
