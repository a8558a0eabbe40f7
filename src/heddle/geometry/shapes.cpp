#include <heddle/geometry/shapes.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {

namespace {

ParameterOptions length_above_zero(std::string doc) {
  return {.unit = "m", .doc = std::move(doc), .minimum = 0.0, .above_minimum = true};
}

ParameterOptions length_or_zero(std::string doc) {
  return {.unit = "m", .doc = std::move(doc), .minimum = 0.0};
}

void check_rounding(double rounding, double limit, const SourceLocation& where, Diagnostics& diagnostics) {
  if (rounding <= limit) return;
  diagnostics.error(where, "the rounding of " + number_text(rounding) + " m does not fit into the shape",
                    "use at most " + number_text(limit) + " m");
}

double radius_of(const Plane&) {
  return std::numeric_limits<double>::infinity();
}
double radius_of(const Sphere& sphere) {
  return sphere.radius;
}
double radius_of(const Capsule& capsule) {
  return 0.5 * capsule.length + capsule.radius;
}
double radius_of(const Box& box) {
  return (0.5 * box.size - Vec3::Constant(box.rounding)).norm() + box.rounding;
}
double radius_of(const Cylinder& cylinder) {
  return std::hypot(cylinder.radius - cylinder.rounding, 0.5 * cylinder.height - cylinder.rounding) +
         cylinder.rounding;
}

template <class... Types>
std::optional<ShapeVariant> first_match(const Entity& entity, std::variant<Types...>*) {
  std::optional<ShapeVariant> found;
  ((entity.is<Types>() ? (found = entity.as<Types>(), true) : false) || ...);
  return found;
}

template <class... Types>
void add_all(Catalogue& catalogue, std::variant<Types...>*) {
  (catalogue.add(description_of<Types>()), ...);
}

}  // namespace

void Plane::describe(Describer<Plane>& d) {
  d.type("plane", "shape", "The half-space below z = 0: a floor without end.");
  d.parameter("size", &Plane::size,
              length_above_zero("Edge length of the square that is drawn; contact has no end."));
}

void Sphere::describe(Describer<Sphere>& d) {
  d.type("sphere", "shape", "A ball about the origin.");
  d.parameter("radius", &Sphere::radius, length_above_zero("Radius of the ball."));
}

void Box::describe(Describer<Box>& d) {
  d.type("box", "shape", "A box about the origin with edges along the axes, sharp or rounded.");
  d.parameter("size", &Box::size, length_above_zero("Edge lengths along x, y and z, rounding included."));
  d.parameter("rounding", &Box::rounding,
              length_or_zero("Radius of the edges and corners; sharp edges (0) let cloth snag."));
  d.validate([](const Box& box, const SourceLocation& where, Diagnostics& diagnostics) {
    check_rounding(box.rounding, 0.5 * box.size.minCoeff(), where, diagnostics);
  });
}

void Capsule::describe(Describer<Capsule>& d) {
  d.type("capsule", "shape", "A cylinder about the z axis with hemispheres as ends.");
  d.parameter("radius", &Capsule::radius, length_above_zero("Radius of the cylinder and of its ends."));
  d.parameter("length", &Capsule::length, length_or_zero("Length of the straight part, without the ends."));
}

void Cylinder::describe(Describer<Cylinder>& d) {
  d.type("cylinder", "shape", "A cylinder about the z axis with flat ends, its rims sharp or rounded.");
  d.parameter("radius", &Cylinder::radius, length_above_zero("Radius of the cylinder."));
  d.parameter("height", &Cylinder::height, length_above_zero("Distance between the two ends."));
  d.parameter("rounding", &Cylinder::rounding,
              length_or_zero("Radius of the rims; sharp rims (0) let cloth snag."));
  d.validate([](const Cylinder& cylinder, const SourceLocation& where, Diagnostics& diagnostics) {
    check_rounding(cylinder.rounding, std::min(cylinder.radius, 0.5 * cylinder.height), where, diagnostics);
  });
}

void add_shapes(Catalogue& catalogue) {
  add_all(catalogue, static_cast<ShapeVariant*>(nullptr));
}

std::optional<ShapeVariant> shape_of(const Entity& entity) {
  return first_match(entity, static_cast<ShapeVariant*>(nullptr));
}

double bounding_radius(const ShapeVariant& shape) {
  return std::visit([](const auto& content) { return radius_of(content); }, shape);
}

}  // namespace heddle
