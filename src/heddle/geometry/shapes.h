#pragma once

#include <heddle/math/value_traits.h>

#include <optional>
#include <variant>

namespace heddle {

// Solids with a known signed distance, centred at their own origin. All lengths in m.

/// The half-space below z = 0.
struct Plane {
  double size = 4.0;  // edge of the square that is drawn; the plane itself has no end
  static void describe(Describer<Plane>& d);
};

struct Sphere {
  double radius = 0.5;
  static void describe(Describer<Sphere>& d);
};

struct Box {
  Vec3 size{1, 1, 1};     // edge lengths from face to face, rounding included
  double rounding = 0.0;  // radius of edges and corners, at most half of the shortest edge
  static void describe(Describer<Box>& d);
};

/// All points within `radius` of a segment on the z axis.
struct Capsule {
  double radius = 0.25;
  double length = 1.0;  // of the segment, so without the caps
  static void describe(Describer<Capsule>& d);
};

/// A cylinder about the z axis.
struct Cylinder {
  double radius = 0.5;
  double height = 1.0;
  double rounding = 0.0;  // radius of the two rims, at most the radius and half of the height
  static void describe(Describer<Cylinder>& d);
};

using ShapeVariant = std::variant<Plane, Sphere, Box, Capsule, Cylinder>;

/// Adds all shapes to the catalogue, category "shape".
void add_shapes(Catalogue& catalogue);
/// The shape that a scene names; empty if the entity is of another type.
std::optional<ShapeVariant> shape_of(const Entity& entity);

/// Radius of the smallest ball about the origin that holds the shape; infinite for the plane. m
double bounding_radius(const ShapeVariant& shape);

}  // namespace heddle
