#pragma once

#include <heddle/dynamics/system.h>
#include <heddle/forces/spring/spring.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace heddle {

/// Particles, their forces and where they start: what an integrator needs, without a scene.
struct ParticleModel {
  std::unique_ptr<System> system;
  State state;
  std::vector<int> held;  // particles that stay where they are

  /// Keeps the held particles at rest.
  VelocityFilter filter() const;
};

/// A straight chain along x: the finite differences of rho u_tt = EA u_xx + beta u_txx (Boxerman 2003,
/// (3.1)-(3.5)). Spacing h = length / (particles - 1); springs of EA / h and dampers of beta / h; masses rho
/// h, half of it at the ends.
struct Truss {
  int particles = 21;
  double length = 1;       // m
  double density = 0.1;    // rho, kg/m
  double stiffness = 100;  // EA, N
  double viscosity = 0;    // beta, N s
  bool holds_first = true;
  bool holds_last = false;
};

ParticleModel make_truss(const Truss& truss);

/// A square grid of particles in the plane z = 0 with the springs of Choi and Ko, all of the same mass
/// density spacing^2 (Boxerman 2003, 3.2), its lower left vertex at the origin.
struct SpringSheet {
  int columns = 10, rows = 10;
  double spacing = 0.05;                                    // h, m
  double density = 0.1;                                     // kg/m2
  double stretch_stiffness = 1000, shear_stiffness = 1000;  // N/m
  double stretch_damping = 0, shear_damping = 0;            // N s/m
  double bend_stiffness = 0;                                // N; zero: no bend springs
  SpringRules rules{.resists_compression = false};
  Vec3 gravity{0, 0, -9.81};           // m/s2
  std::array<bool, 4> holds_corner{};  // lower left, lower right, upper left, upper right
  bool stretch_implicit = true, shear_implicit = true, bend_implicit = true;
  std::optional<double> bend_linear_stiffness;  // N/m, of bend springs near rest; that of stretch if missing
  double air_damping = 0;                       // N s/m3, of every square metre
};

ParticleModel make_spring_sheet(const SpringSheet& sheet);

}  // namespace heddle
