#pragma once

#include <heddle/dynamics/integrator.h>

#include <string>

namespace heddle {

/// Largest stiffness and damping of a mode of the system, over its mass.
struct StiffestMode {
  double stiffness = 0;  // 1/s2, largest eigenvalue of M^-1 K
  double damping = 0;    // 1/s, that of M^-1 D
};

/// By a few power iterations with the Jacobians at this state, so a little too low; of the named terms, or of
/// all if none are named.
StiffestMode stiffest_mode(const System& system, const State& state, std::span<const std::string> terms = {});

/// The longest step (s) at which the integrator lets such a mode not grow, found by trying it; `longest` if
/// that is stable.
double stable_step(Integrator& integrator, const StiffestMode& mode, double longest);

}  // namespace heddle
