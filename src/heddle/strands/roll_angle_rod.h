#pragma once

#include <heddle/forces/rod/rod_section.h>
#include <heddle/math/types.h>

#include <vector>

namespace heddle {

/// A straight rod with places of nodes and one roll angle for each segment about it (Spillmann 2008, 3.5,
/// after Cao et al. 2006): ground truth for CoRDE. Directors are exact, d3 is the direction of the segment,
/// turned from e3 by the shortest rotation; so no segment may come to point to -e3. The mass matrix follows
/// from the kinetic energy, with the inertia of directors, and changes with the shape; it is banded and
/// solved for each step. Slow on purpose: nothing is left out.
class RollAngleRod {
 public:
  /// Unknowns in the order x_0, angle_0, x_1, angle_1, ..., x_N.
  RollAngleRod(const std::vector<Vec3>& points, const std::vector<double>& angles, const RodSection& section,
               const Vec3& gravity);

  /// Holds a node, or the roll angle of a segment.
  void hold_node(int node);
  void hold_angle(int segment) { held_[at(4 * segment + 3)] = 1; }
  /// Semi-implicit Euler. False if the mass matrix is not positive or numbers are not finite. `drag` (1/s)
  /// slows everything down.
  bool step(double dt, double drag = 0);

  int node_count() const { return nodes_; }
  Vec3 node(int i) const { return {g_[at(4 * i)], g_[at(4 * i + 1)], g_[at(4 * i + 2)]}; }
  void set_node(int i, const Vec3& x);
  double angle(int segment) const { return g_[at(4 * segment + 3)]; }
  /// Angle between the directions of a segment and the next one, rad.
  double bend(int segment) const;

  /// J.
  struct Energies {
    double stretch = 0, bending = 0, twist = 0, kinetic = 0, weight = 0;
    double sum() const { return stretch + bending + twist + kinetic + weight; }
  };
  Energies energies() const;

  /// Generalised forces without those of inertia: -dV/dg.
  std::vector<double> forces() const;
  /// M(g), full, row by row; for tests.
  std::vector<double> mass_matrix() const;
  /// d/dt(M) g' - dT/dg, which inertia asks for besides M g''.
  std::vector<double> inertial_forces() const;

 private:
  static constexpr int kHalfBand = 6;
  static size_t at(int i) { return static_cast<size_t>(i); }
  int size() const { return 4 * nodes_ - 1; }
  double& band(int row, int column) { return band_[at(row * (kHalfBand + 1) + row - column)]; }
  void assemble_mass();
  bool solve(std::vector<double>& right);

  RodSection section_;
  Vec3 gravity_;
  int nodes_ = 0;
  std::vector<double> length_;  // m, at rest
  std::vector<double> g_, rate_;
  std::vector<char> held_;
  std::vector<double> band_;  // of the mass matrix, then of its factor
};

}  // namespace heddle
