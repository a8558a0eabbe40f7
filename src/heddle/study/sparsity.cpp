#include <heddle/study/sparsity.h>

#include <heddle/integrate/imex.h>
#include <heddle/solve/decomposed_solver.h>

#include <algorithm>
#include <cstdlib>

namespace heddle {

namespace {

constexpr long kGeneralNumbers = 9, kIsotropicNumbers = 3;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// The blocks of a matrix pattern that `keeps(slot, is_isotropic)` wants, in one pattern.
template <class Keeps>
void take_blocks(const MatrixPattern& pattern, const Keeps& keeps, SparsityView& view) {
  std::vector<std::vector<int>> rows(at(pattern.row_count()));
  for (int row = 0; row < pattern.row_count(); ++row)
    for (const bool is_isotropic : {false, true}) {
      const BlockPattern& part = is_isotropic ? pattern.isotropic : pattern.general;
      for (int k = part.row_start[at(row)]; k < part.row_start[at(row) + 1]; ++k) {
        if (!keeps(k, is_isotropic)) continue;
        const int column = part.columns[at(k)];
        rows[at(row)].push_back(column);
        if (column != row) rows[at(column)].push_back(row);
        view.nonzeros += (column != row ? 2 : 1) * (is_isotropic ? kIsotropicNumbers : kGeneralNumbers);
      }
    }
  for (std::vector<int>& row : rows) {
    std::sort(row.begin(), row.end());
    view.pattern.columns.insert(view.pattern.columns.end(), row.begin(), row.end());
    view.pattern.row_start.push_back(view.pattern.block_count());
  }
}

/// The matrix of a step in which elements that are soft enough stay explicit.
BlockMatrix adaptive_matrix(const Simulation& sim) {
  const System& system = *sim.model.system;
  const double dt = sim.model.step_length();
  Splitting splitting = sim.integrator->splitting();
  if (!splitting.stable) splitting.stable = StableElements{.limit = AdaptiveImex().threshold};
  splitting.stable->dt = dt;
  splitting.stable->mass = system.element_mass();
  splitting.stable->implicit = nullptr;
  BlockMatrix masses(system.pattern()), matrix(system.pattern());
  system.constant_matrix(0, 0, masses);
  std::vector<Vec3> force(sim.state.x.size()), stiffness_velocity(force.size()), external(force.size());
  system.linearise(configuration_of(sim.state), masses,
                   {.stiffness_scale = dt * dt,
                    .damping_scale = dt,
                    .form = JacobianForm::positive,
                    .matrix = &matrix,
                    .force = force,
                    .stiffness_velocity = stiffness_velocity,
                    .stable = &*splitting.stable},
                   external, splitting.explicit_terms);
  return matrix;
}

/// Rows by component, then those that are fixed.
void set_order(const RowComponents& components, SparsityView& view) {
  view.components = components.count();
  view.order = components.rows;
  view.groups.assign(components.start.begin(), components.start.end());
  for (int row = 0; row < static_cast<int>(components.owner.size()); ++row)
    if (components.owner[at(row)] < 0) view.order.push_back(row);
  view.fixed = static_cast<int>(view.order.size() - components.rows.size());
  if (view.groups.back() == static_cast<int>(view.order.size())) view.groups.pop_back();
}

}  // namespace

int SparsityView::bandwidth() const {
  std::vector<int> place(at(pattern.row_count()));
  for (int k = 0; k < pattern.row_count(); ++k) place[at(order.empty() ? k : order[at(k)])] = k;
  const int solved = pattern.row_count() - fixed;
  int widest = 0;
  for (int row = 0; row < pattern.row_count(); ++row)
    for (int k = pattern.row_start[at(row)]; k < pattern.row_start[at(row) + 1]; ++k) {
      const int i = place[at(row)], j = place[at(pattern.columns[at(k)])];
      if (std::max(i, j) < solved) widest = std::max(widest, std::abs(i - j));
    }
  return widest;
}

std::vector<SparsityView> sparsity_views(const Simulation& sim) {
  const System& system = *sim.model.system;
  SparsityView full{.name = "full", .summary = "all that implicit terms may have"};
  take_blocks(
      system.pattern(), [](int, bool) { return true; }, full);

  const BlockMatrix matrix = adaptive_matrix(sim);
  SparsityView adaptive{.name = "adaptive", .summary = "without elements that are soft enough for the step"};
  take_blocks(
      system.pattern(),
      [&](int k, bool is_isotropic) {
        return is_isotropic ? matrix.isotropic_block(k) != 0 : matrix.block(k) != Mat3::Zero();
      },
      adaptive);

  VelocityFilter filter(sim.state.particle_count());
  system.constrain(sim.state, sim.model.step_length(), filter);
  SparsityView decomposed = adaptive;
  decomposed.name = "decomposed";
  decomposed.summary = "the same, one component after the other";
  set_order(find_components(matrix, filter.projection(), {}), decomposed);
  return {std::move(full), std::move(adaptive), std::move(decomposed)};
}

SparsityPlot sparsity_plot(const SparsityView& view, const std::string& subject) {
  // Lines between very many components would hide the blocks.
  constexpr size_t kMostGroups = 64;
  SparsityPlot plot;
  plot.title = subject + ": " + view.name;
  plot.pattern = view.pattern;
  plot.order = view.order;
  if (view.groups.size() <= kMostGroups) plot.groups = view.groups;
  return plot;
}

}  // namespace heddle
