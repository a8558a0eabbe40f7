#pragma once

#include <heddle/math/block_matrix.h>
#include <heddle/solve/solver_parameters.h>

#include <span>
#include <string>

namespace heddle {

/// In the place of a solver or preconditioner: whichever is the fastest for the system.
inline constexpr const char* kAuto = "auto";

/// What makes a system M + h^2 K + h D easy or hard to solve.
struct SystemTraits {
  int rows = 0;
  double stiffness = 0;  // largest share of h^2 K + h D in a diagonal block, as a multiple of the mass
};

/// `matrix` is M + h^2 K + h D.
SystemTraits traits_of_system(const BlockMatrix& matrix, std::span<const double> mass);

/// Parameters without "auto", and in words why.
struct SolverChoice {
  SolverParameters parameters;
  std::string reason;  // empty if nothing was left open
};

/// Fills in what is "auto" by the measurements of docs/models/linear_solver.md. Depends on the system and the
/// tolerance only, not on the number of threads, so that results do not either.
SolverChoice choose_solver(const SolverParameters& wanted, const SystemTraits& system);

}  // namespace heddle
