#pragma once

#include <heddle/plot/plot.h>
#include <heddle/sim/simulation.h>

namespace heddle {

/// The matrix of a step in one form: which blocks it has, and in which order its rows are looked at.
struct SparsityView {
  std::string name;     // "full", "adaptive", "decomposed"
  std::string summary;  // what it shows
  BlockPattern pattern;
  std::vector<int> order;   // as in SparsityPlot
  std::vector<int> groups;  // first rows of the components, as ordered; rows without one come last
  long nonzeros = 0;        // numbers, not blocks
  int components = 0;       // 0 if they were not looked for
  int fixed = 0;            // rows at the end that belong to no component and are not solved for

  /// The largest distance of a block from the diagonal, in rows as ordered, without fixed ones.
  int bandwidth() const;
};

/// The matrix M + h^2 K + h D of the state of a simulation, h being the length of its steps: all blocks that
/// the implicit terms may have; those that are left once elements soft enough for the step are explicit, as
/// the scene's integrator says or, if it does not, as adaptive IMEX does; and the same, component by
/// component. Contact is not part of it: it comes and goes within a step.
std::vector<SparsityView> sparsity_views(const Simulation& sim);

SparsityPlot sparsity_plot(const SparsityView& view, const std::string& subject);

}  // namespace heddle
