#include <heddle/sim/cover.h>

#include <heddle/sim/model.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

/// The argument from 0 to `high` at which `covers` becomes true (or false, if it begins as true).
template <class Covers>
double turning_point(double high, const Covers& covers) {
  double low = 0;
  const bool at_low = covers(low);
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (covers(middle) == at_low ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

bool covers(const Bend& bend, const Cover& cloth) {
  return sag(bend, cloth.edge, cloth.clearance()) <= cloth.clearance();
}

}  // namespace

std::vector<Bend> bends_of(const ShapeVariant& shape) {
  using Kind = Bend::Kind;
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return {{Kind::body, sphere->radius, 0}};
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return {{Kind::body, capsule->radius, 0}};
  if (const auto* box = std::get_if<Box>(&shape))
    return {{Kind::rim, box->rounding, 0.5 * box->size.minCoeff()}};
  if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    return {{Kind::body, cylinder->radius, 0},
            {Kind::rim, cylinder->rounding, std::min(cylinder->radius, 0.5 * cylinder->height)}};
  return {};
}

double sag(const Bend& bend, double edge, double clearance) {
  const double R = bend.radius + clearance, half = 0.5 * edge;
  if (bend.kind == Bend::Kind::rim && half > R / std::numbers::sqrt2)
    return half - (std::numbers::sqrt2 - 1) * R;
  return half < R ? R - std::sqrt(R * R - half * half) : half;
}

double Cover::clearance() const {
  return 0.5 * thickness + kEdgeShare * edge;
}

bool shows(const Bend& bend, const Cover& cloth) {
  return sag(bend, cloth.edge, cloth.clearance()) > 4.0 / 3 * cloth.clearance();
}

double radius_that_covers(const Bend& bend, const Cover& cloth) {
  const double enough = bend.radius + cloth.edge * cloth.edge / cloth.clearance();
  return turning_point(enough, [&](double radius) { return covers({bend.kind, radius, 0}, cloth); });
}

double edge_that_covers(const Bend& bend, const Cover& cloth) {
  return turning_point(cloth.edge, [&](double edge) { return covers(bend, {edge, cloth.thickness}); });
}

double thickness_that_covers(const Bend& bend, const Cover& cloth) {
  return turning_point(2 * cloth.edge, [&](double thickness) {
    return covers(bend, {cloth.edge, thickness});
  });
}

}  // namespace heddle
