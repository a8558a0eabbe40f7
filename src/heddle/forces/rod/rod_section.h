#pragma once

#include <heddle/math/types.h>

#include <numbers>

namespace heddle {

/// A round rod: what it is made of and how thick it is.
struct RodSection {
  double radius = 0.005;        // m
  double density = 1300;        // kg/m3
  double young = 5e5;           // E, Pa, against bending
  double shear = 5e5;           // G, Pa, against twist
  double stretch = 2e7;         // E_s, Pa, against stretch
  double stretch_friction = 0;  // gamma_t, N s
  double bending_friction = 0;  // gamma_r, N m2 s
  /// Moments of the section with r^2 instead of r^4, as Spillmann 2008 prints them (3.10); the moduli of his
  /// Table 3.2 belong to that.
  bool printed_law = false;

  double area() const { return std::numbers::pi * radius * radius; }  // m2
  /// pi r^4 / 4, m4.
  double second_moment() const { return 0.25 * area() * (printed_law ? 1 : radius * radius); }
  double stretch_stiffness() const { return stretch * area(); }           // K_s, N
  double bending_stiffness() const { return young * second_moment(); }    // K11 = K22, N m2
  double twist_stiffness() const { return 2 * shear * second_moment(); }  // K33, N m2
  double line_density() const { return density * area(); }                // kg/m
  /// Moments of inertia of a piece of rod of that length (m) about d1, d2 and d3, kg m2; J33 = J11 + J22
  /// (Spillmann 2008, 3.3.1, with the length that is missing there).
  Vec3 inertia(double length) const {
    const double across = length * density * second_moment();
    return {across, across, 2 * across};
  }
};

}  // namespace heddle
