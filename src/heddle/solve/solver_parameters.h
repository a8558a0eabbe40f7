#pragma once

#include <heddle/core/describe.h>

#include <string>

namespace heddle {

/// How an implicit integrator solves its linear systems. The names are those of the registries in
/// solver_registry.h.
struct SolverParameters {
  std::string solver = "conjugate_gradient";
  std::string preconditioner = "multigrid";
  bool constrained_preconditioner = true;  // made from the matrix within the free directions
  double tolerance = 2e-2;
  int max_iterations = 1000;
  bool single_precision = false;  // of the matrix in mpcg and mpcg_published
  bool warm_start = false;        // with the last solution
  bool decompose = false;         // into parts that nothing connects

  static void describe(Describer<SolverParameters>& d);
};

}  // namespace heddle
