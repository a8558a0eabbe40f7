#include <heddle/magnetics/coil.h>

#include <cmath>

namespace heddle {

Status check_coil(const Coil& coil, const std::string& name) {
  Diagnostics diagnostics;
  if (coil.points.size() < 3)
    diagnostics.error({name}, "a coil of " + std::to_string(coil.points.size()) + " points encloses nothing",
                      "give at least three points of a closed wire");
  for (size_t i = 0; i < coil.points.size(); ++i) {
    if (!coil.points[i].allFinite())
      diagnostics.error({name}, "point " + std::to_string(i) + " of the coil is not finite",
                        "give numbers in m");
    if (coil.points.size() > 1 && coil.points[i] == coil.points[(i + 1) % coil.points.size()])
      diagnostics.error({name},
                        "point " + std::to_string(i) + " of the coil is at the same place as the next",
                        "leave one of them out; the last point is joined to the first without repeating it");
  }
  if (diagnostics.has_errors()) return diagnostics;
  return Done{};
}

// The middles of the polygon's sides lie on the circle, and its sides are longer than arcs: with that much
// less current the sum over sides is the trapezoidal rule for the circle, which converges faster than any
// power.
Coil circular_coil(double radius, double current, int segments) {
  const double half = std::numbers::pi / segments, outer = radius / std::cos(half);
  Coil coil;
  coil.current = current * half / std::tan(half);
  for (int i = 0; i < segments; ++i) {
    const double angle = 2 * half * i;
    coil.points.emplace_back(outer * std::cos(angle), outer * std::sin(angle), 0);
  }
  return coil;
}

PlacedCoil::PlacedCoil(const Coil& coil, const RigidTransform& pose) : pose_(pose) {
  for (size_t i = 0; i < coil.points.size(); ++i) {
    const Vec3 a = pose.point(coil.points[i]), b = pose.point(coil.points[(i + 1) % coil.points.size()]);
    pieces_.push_back({0.5 * (a + b), coil.current * (b - a)});
  }
}

Vec3 PlacedCoil::field(const Vec3& place) const {
  Vec3 sum = Vec3::Zero();
  for (const Piece& piece : pieces_) {
    const Vec3 d = place - piece.middle;
    const double inverse2 = 1 / d.squaredNorm();
    sum += inverse2 * std::sqrt(inverse2) * piece.current.cross(d);
  }
  return kDipoleFactor * sum;
}

// grad (m . (i x d) / r^3) = (m x i) / r^3 - 3 (m . (i x d)) d / r^5.
Wrench PlacedCoil::load_on(const Dipole& dipole) const {
  Vec3 field = Vec3::Zero(), force = Vec3::Zero();
  for (const Piece& piece : pieces_) {
    const Vec3 d = dipole.position - piece.middle;
    const double inverse2 = 1 / d.squaredNorm(), cube = inverse2 * std::sqrt(inverse2);
    const Vec3 across = cube * piece.current.cross(d);
    field += across;
    force += cube * dipole.moment.cross(piece.current) - 3 * inverse2 * dipole.moment.dot(across) * d;
  }
  return {kDipoleFactor * force, kDipoleFactor * dipole.moment.cross(field)};
}

// Of the energy (mu0 / 4 pi) sum i1 . i2 / r at constant currents: F1 = -(i1 . i2) d / r^3, T1 = i1 x i2 / r.
Wrench PlacedCoil::load_from(const PlacedCoil& other) const {
  Wrench sum;
  for (const Piece& own : pieces_)
    for (const Piece& piece : other.pieces_) {
      const Vec3 d = own.middle - piece.middle;
      const double inverse2 = 1 / d.squaredNorm(), inverse = std::sqrt(inverse2);
      const Vec3 force = -own.current.dot(piece.current) * inverse2 * inverse * d;
      sum +=
          {force, inverse * own.current.cross(piece.current) + (own.middle - pose_.translation).cross(force)};
    }
  return {kDipoleFactor * sum.force, kDipoleFactor * sum.torque};
}

}  // namespace heddle
