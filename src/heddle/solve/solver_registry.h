#pragma once

#include <heddle/solve/linear_solver.h>
#include <heddle/solve/preconditioner.h>
#include <heddle/solve/solver_parameters.h>

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace heddle {

struct PreconditionerEntry {
  std::string name;
  std::string summary;  // in a few words, for descriptions
  std::function<std::unique_ptr<Preconditioner>()> make;
};

/// All preconditioners a scene may name.
std::span<const PreconditionerEntry> preconditioner_registry();

struct SolverEntry {
  std::string name;
  std::string summary;
  bool preconditioned = true;
  std::function<std::unique_ptr<LinearSolver>(const SolverParameters&)> make;
};

/// All linear solvers a scene may name.
std::span<const SolverEntry> solver_registry();

/// The preconditioner that the parameters name, constrained or not.
std::unique_ptr<Preconditioner> make_preconditioner(const SolverParameters& parameters);

/// The solver that the parameters name, with all they ask for. Names must be those of the registries; "auto",
/// for which choose_solver should have been asked, is the first of them.
std::unique_ptr<LinearSolver> make_linear_solver(const SolverParameters& parameters);

}  // namespace heddle
