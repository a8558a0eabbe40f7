#include <heddle/solve/choose_solver.h>

#include <heddle/core/text.h>

#include <algorithm>

namespace heddle {

namespace {

// Where one method overtakes the other in the table "What auto takes" of docs/models/linear_solver.md.
constexpr int kSmall = 500;      // rows
constexpr double kSoft = 300;    // times the mass: few iterations whatever the preconditioner
constexpr double kTight = 1e-8;  // tolerance from which iterations cost more than a small factorisation
constexpr double kStiff = 500;   // times the mass

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::string size_text(const SystemTraits& system) {
  return counted(system.rows, "vertex", "vertices") + " whose stiffness is " +
         short_number_text(system.stiffness) + " times their mass in a step";
}

bool prefers_direct(const SolverParameters& wanted, const SystemTraits& system) {
  return system.rows <= kSmall && wanted.tolerance <= kTight && system.stiffness >= kStiff;
}

}  // namespace

SystemTraits traits_of_system(const BlockMatrix& matrix, std::span<const double> mass) {
  SystemTraits traits{.rows = matrix.row_count()};
  for (int i = 0; i < traits.rows; ++i)
    traits.stiffness = std::max(traits.stiffness, matrix.diagonal(i).trace() / (3 * mass[at(i)]) - 1);
  return traits;
}

SolverChoice choose_solver(const SolverParameters& wanted, const SystemTraits& system) {
  SolverChoice choice{wanted, ""};
  SolverParameters& chosen = choice.parameters;
  if (wanted.solver == kAuto)
    chosen.solver = prefers_direct(wanted, system) ? "direct" : "conjugate_gradient";
  const bool easy = system.stiffness < kSoft || system.rows < kSmall;
  if (wanted.preconditioner == kAuto) chosen.preconditioner = easy ? "block_jacobi" : "multigrid";
  if (wanted.solver != kAuto && wanted.preconditioner != kAuto) return choice;
  if (wanted.solver == "direct")
    choice.reason = "direct, as the scene asks";
  else if (chosen.solver == "direct")
    choice.reason = "direct, because a tolerance of " + short_number_text(wanted.tolerance) +
                    " takes many iterations and there are only " + size_text(system);
  else
    choice.reason = chosen.solver + " with " + chosen.preconditioner + ", because " + size_text(system) +
                    (easy ? " need few iterations or cheap ones" : " would need many iterations without it");
  return choice;
}

}  // namespace heddle
