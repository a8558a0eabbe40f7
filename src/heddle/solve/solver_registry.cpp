#include <heddle/solve/solver_registry.h>

#include <heddle/core/check.h>
#include <heddle/solve/choose_solver.h>
#include <heddle/solve/conjugate_gradient.h>
#include <heddle/solve/decomposed_solver.h>
#include <heddle/solve/diagonal_preconditioners.h>
#include <heddle/solve/direct_solver.h>
#include <heddle/solve/incomplete_cholesky.h>
#include <heddle/solve/modified_conjugate_gradient.h>
#include <heddle/solve/multigrid.h>
#include <heddle/solve/ssor.h>
#include <heddle/solve/unconstrained_preconditioner.h>
#include <heddle/solve/warm_start.h>

#include <algorithm>
#include <array>

namespace heddle {

namespace {

template <class T>
std::unique_ptr<Preconditioner> make() {
  return std::make_unique<T>();
}

/// The usual one, which is the first, where nobody knew the system to choose for.
template <class Entry>
const Entry& entry_of(std::span<const Entry> entries, std::string_view name) {
  if (name == kAuto) return entries.front();
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
  HEDDLE_CHECK(found != entries.end());
  return *found;
}

std::unique_ptr<LinearSolver> make_mpcg(MpcgRule rule, const SolverParameters& parameters) {
  return std::make_unique<ModifiedConjugateGradient>(rule, make_preconditioner(parameters),
                                                     parameters.single_precision);
}

}  // namespace

std::span<const PreconditionerEntry> preconditioner_registry() {
  static const std::array entries{
      PreconditionerEntry{"multigrid", "far fewer iterations on stiff or fine cloth", make<Multigrid>},
      PreconditionerEntry{"block_jacobi", "the cheapest iterations", make<BlockJacobi>},
      PreconditionerEntry{"none", "plain conjugate gradients", make<NoPreconditioner>},
      PreconditionerEntry{"jacobi", "the diagonal alone", make<Jacobi>},
      PreconditionerEntry{"ssor", "symmetric Gauss-Seidel, on one thread", make<Ssor>},
      PreconditionerEntry{"partition_ssor", "the same within partitions of the graph, in parallel",
                          [] { return std::make_unique<Ssor>(kSsorPartitionRows); }},
      PreconditionerEntry{"incomplete_cholesky", "a factorisation without fill, on one thread",
                          make<IncompleteCholesky>},
  };
  return entries;
}

std::span<const SolverEntry> solver_registry() {
  static const std::array entries{
      SolverEntry{"conjugate_gradient", "fast, stops by a measure that all preconditioners share", true,
                  [](const SolverParameters& p) -> std::unique_ptr<LinearSolver> {
                    return std::make_unique<ConjugateGradient>(make_preconditioner(p));
                  }},
      SolverEntry{"mpcg", "modified conjugate gradients as corrected by Boxerman", true,
                  [](const SolverParameters& p) { return make_mpcg(MpcgRule::corrected, p); }},
      SolverEntry{"mpcg_published", "the same as Baraff and Witkin published it", true,
                  [](const SolverParameters& p) { return make_mpcg(MpcgRule::published, p); }},
      SolverEntry{"direct", "sparse Cholesky factorisation", false,
                  [](const SolverParameters&) -> std::unique_ptr<LinearSolver> {
                    return std::make_unique<DirectSolver>();
                  }},
  };
  return entries;
}

std::unique_ptr<Preconditioner> make_preconditioner(const SolverParameters& parameters) {
  auto preconditioner = entry_of(preconditioner_registry(), parameters.preconditioner).make();
  if (parameters.constrained_preconditioner) return preconditioner;
  return std::make_unique<UnconstrainedPreconditioner>(std::move(preconditioner));
}

std::unique_ptr<LinearSolver> make_linear_solver(const SolverParameters& parameters) {
  const auto make = [parameters] { return entry_of(solver_registry(), parameters.solver).make(parameters); };
  std::unique_ptr<LinearSolver> solver = make();
  if (parameters.decompose) {
    const bool is_mpcg = parameters.solver.starts_with("mpcg");
    solver = std::make_unique<DecomposedSolver>(
        make, DecomposedSolver::Scale{.reference = !is_mpcg, .prescribed = parameters.solver == "mpcg"});
  }
  if (parameters.warm_start) solver = std::make_unique<WarmStart>(std::move(solver));
  return solver;
}

}  // namespace heddle
