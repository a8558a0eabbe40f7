#include <heddle/solve/solver_parameters.h>

#include <heddle/solve/choose_solver.h>
#include <heddle/solve/solver_registry.h>

namespace heddle {

namespace {

/// "first: what it is; second: …; auto: …"
template <class Entry>
std::string summaries(std::span<const Entry> entries) {
  std::string text;
  for (const Entry& entry : entries) text += entry.name + ": " + entry.summary + "; ";
  return text + kAuto + ": what suits the size and stiffness of the system";
}

template <class Entry>
std::vector<std::string> names(std::span<const Entry> entries) {
  std::vector<std::string> out;
  for (const Entry& entry : entries) out.push_back(entry.name);
  out.emplace_back(kAuto);
  return out;
}

}  // namespace

void SolverParameters::describe(Describer<SolverParameters>& d) {
  d.type("linear_solver", "part of an integrator", "How the linear systems of an implicit step are solved.");
  d.parameter("tolerance", &SolverParameters::tolerance,
              {.unit = "1",
               .doc = "Residual at which the linear solver stops, relative to the outer forces.",
               .minimum = 1e-12,
               .maximum = 0.5});
  d.parameter("max_iterations", &SolverParameters::max_iterations,
              {.unit = "1",
               .doc = "Iterations after which the step is tried again with half its length.",
               .minimum = 1,
               .maximum = 1e6});
  d.parameter("solver", &SolverParameters::solver,
              {.unit = "",
               .doc = "The linear solver. " + summaries(solver_registry()) + ".",
               .choices = names(solver_registry())});
  d.parameter(
      "preconditioner", &SolverParameters::preconditioner,
      {.unit = "",
       .doc = "What speeds all linear solvers but direct up. " + summaries(preconditioner_registry()) + ".",
       .choices = names(preconditioner_registry())});
  d.parameter("constrained_preconditioner", &SolverParameters::constrained_preconditioner,
              {.unit = "",
               .doc = "Make the preconditioner from the matrix within the directions that constraints leave "
                      "free; false takes the whole matrix, for comparison."});
  d.parameter("single_precision", &SolverParameters::single_precision,
              {.unit = "",
               .doc = "Store the matrix of mpcg and mpcg_published in single precision; conjugate_gradient "
                      "and direct never do."});
  d.parameter("warm_start", &SolverParameters::warm_start,
              {.unit = "",
               .doc = "Start the linear solver with the solution of the last step. A resumed run then agrees "
                      "with one that was never stopped within the tolerance only, not in all bits."});
  d.parameter(
      "decompose", &SolverParameters::decompose,
      {.unit = "",
       .doc = "Solve parts of the system that no force connects, or only through fixed particles, one "
              "by one and in parallel."});
}

}  // namespace heddle
