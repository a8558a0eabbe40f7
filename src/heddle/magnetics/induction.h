#pragma once

#include <heddle/magnetics/interactions.h>

namespace heddle {

/// How cells of induced magnets are magnetised.
enum class InductionLaw {
  sphere,  // M = 3 chi / (3 + chi) B / mu0, exact for a ball in a constant field; a superconductor is chi =
           // -1
  printed  // M = 3 chi / (1 + chi) B / mu0 (Thomaszewski 2010, (6.17)), superconductors -B / mu0 (6.18)
};

struct InductionOptions {
  /// Cells of induced magnets magnetise each other, which is a system of linear equations; otherwise they
  /// feel permanent magnets, coils and the outer field only, as published.
  bool coupled = true;
  InductionLaw law = InductionLaw::sphere;  // without coupling; with it always that of spheres
  double tolerance = 1e-6;                  // of the linear system, relative
  int most_iterations = 300;
};

struct InductionReport {
  int iterations = 0;   // of linear solves, all together
  int rounds = 0;       // of saturation
  double residual = 0;  // relative
  bool converged = true;
};

/// Moment by volume and flux density (A/(m T)) of a cell in a field of this strength (T).
double cell_response(const MagnetMaterial& material, InductionLaw law, double field);

/// Magnetises all that is not permanent. `outer` is the flux density of coils and the like at every leaf, T;
/// that of the permanent magnets comes to it.
InductionReport induce(std::span<PlacedMagnet> magnets, const Interactions& interactions,
                       std::span<const Vec3> outer, const InductionOptions& options);

}  // namespace heddle
