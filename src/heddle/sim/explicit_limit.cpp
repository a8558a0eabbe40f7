#include <heddle/sim/explicit_limit.h>

#include <cmath>
#include <limits>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Sums of the norms of the blocks of each row of stiffness K + damping D.
std::vector<double> row_sums(const ForceTerm& term, const State& state, const MatrixPattern& pattern,
                             double stiffness, double damping) {
  BlockMatrix matrix(pattern);
  matrix.set_zero();
  std::vector<Vec3> ignored(state.x.size());
  term.add_linearisation(configuration_of(state),
                         {stiffness, damping, JacobianForm::positive, &matrix, ignored, ignored});
  std::vector<double> sums(state.x.size(), 0);
  for (int row = 0; row < pattern.row_count(); ++row) {
    const auto add = [&](int column, double norm) {
      sums[at(row)] += norm;
      if (column != row) sums[at(column)] += norm;
    };
    for (int k = pattern.general.row_start[at(row)]; k < pattern.general.row_start[at(row) + 1]; ++k)
      add(pattern.general.columns[at(k)], matrix.block(k).norm());
    for (int k = pattern.isotropic.row_start[at(row)]; k < pattern.isotropic.row_start[at(row) + 1]; ++k)
      add(pattern.isotropic.columns[at(k)], std::sqrt(3.0) * std::abs(matrix.isotropic_block(k)));
  }
  return sums;
}

}  // namespace

std::vector<double> explicit_limits(const System& system, const State& state) {
  std::vector<double> stiffness(state.x.size(), 0), damping = stiffness;
  for (const auto& term : system.terms()) {
    if (term->is_implicit()) continue;
    BlockPatternBuilder builder(state.particle_count());
    term->add_pattern(builder);
    const MatrixPattern pattern = builder.build();
    term->bind(pattern);
    const std::vector<double> k = row_sums(*term, state, pattern, 1, 0),
                              d = row_sums(*term, state, pattern, 0, 1);
    for (size_t i = 0; i < k.size(); ++i) {
      stiffness[i] += k[i];
      damping[i] += d[i];
    }
  }
  std::vector<double> limits(state.x.size(), std::numeric_limits<double>::infinity());
  for (size_t i = 0; i < limits.size(); ++i) {
    const double k = stiffness[i], d = damping[i], m = system.mass()[i];
    if (k > 0 || d > 0) limits[i] = 4 * m / (d + std::sqrt(d * d + 4 * k * m));
  }
  return limits;
}

}  // namespace heddle
