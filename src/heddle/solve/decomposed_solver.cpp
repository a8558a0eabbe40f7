#include <heddle/solve/decomposed_solver.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// A single component with more than this share of the rows is solved as it stands in the whole system.
constexpr double kWhole = 0.9;

std::vector<char> fixed_rows(int rows, const BlockProjection& projection) {
  std::vector<char> fixed(at(rows));
  for (size_t k = 0; k < projection.particles().size(); ++k)
    if (projection.free(k) == Mat3::Zero()) fixed[at(projection.particles()[k])] = 1;
  return fixed;
}

bool all_finite(std::span<const Vec3> values) {
  return std::all_of(values.begin(), values.end(), [](const Vec3& value) { return value.allFinite(); });
}

/// Sets of rows that grow together; the first row of a set stands for it.
class JoinedRows {
 public:
  explicit JoinedRows(int rows) : parent_(at(rows)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int first_of(int row) {
    while (parent_[at(row)] != row) row = parent_[at(row)] = parent_[at(parent_[at(row)])];
    return row;
  }
  void join(int a, int b) {
    a = first_of(a);
    b = first_of(b);
    parent_[at(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

JoinedRows join_rows(const BlockMatrix& matrix, const std::vector<char>& fixed,
                     std::span<const PairCoupling> couplings) {
  const BlockPattern &general = matrix.pattern().general, &isotropic = matrix.pattern().isotropic;
  JoinedRows joined(matrix.row_count());
  // Blocks are many numbers: those of rows that are together already are not looked at.
  const auto is_apart = [&](int row, int column) {
    return !fixed[at(column)] && joined.first_of(row) != joined.first_of(column);
  };
  for (int row = 0; row < matrix.row_count(); ++row) {
    if (fixed[at(row)]) continue;
    for (int k = general.row_start[at(row)] + 1; k < general.row_start[at(row) + 1]; ++k)
      if (is_apart(row, general.columns[at(k)]) && matrix.block(k) != Mat3::Zero())
        joined.join(row, general.columns[at(k)]);
    for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k)
      if (is_apart(row, isotropic.columns[at(k)]) && matrix.isotropic_block(k) != 0)
        joined.join(row, isotropic.columns[at(k)]);
  }
  for (const PairCoupling& coupling : couplings) {
    int first = -1;
    for (size_t i = 0; i < 4; ++i) {
      const int row = coupling.rows[i];
      if (coupling.direction[i] == Vec3::Zero() || fixed[at(row)]) continue;
      if (first >= 0) joined.join(first, row);
      first = row;
    }
  }
  return joined;
}

}  // namespace

RowComponents find_components(const BlockMatrix& matrix, const BlockProjection& projection,
                              std::span<const PairCoupling> couplings) {
  const int n = matrix.row_count();
  const std::vector<char> fixed = fixed_rows(n, projection);
  JoinedRows joined = join_rows(matrix, fixed, couplings);
  RowComponents out{.owner = std::vector<int>(at(n), -1), .place = std::vector<int>(at(n), -1)};
  std::vector<int> sizes;
  for (int row = 0; row < n; ++row) {
    if (fixed[at(row)]) continue;
    const int first = joined.first_of(row);
    if (first == row) sizes.push_back(0);
    const int owner = out.owner[at(row)] =
        first == row ? static_cast<int>(sizes.size()) - 1 : out.owner[at(first)];
    out.place[at(row)] = sizes[at(owner)]++;
  }
  for (const int size : sizes) out.start.push_back(out.start.back() + size);
  out.rows.resize(at(out.start.back()));
  for (int row = 0; row < n; ++row)
    if (const int owner = out.owner[at(row)]; owner >= 0)
      out.rows[at(out.start[at(owner)] + out.place[at(row)])] = row;
  return out;
}

void DecomposedSolver::take_matrix(int component, const BlockMatrix& matrix, Part& part) const {
  const BlockPattern &general = matrix.pattern().general, &isotropic = matrix.pattern().isotropic;
  MatrixPattern pattern;
  std::vector<int> general_slots, isotropic_slots;
  const auto take = [&](const BlockPattern& all, int row, BlockPattern& mine, std::vector<int>& slots) {
    for (int k = all.row_start[at(row)]; k < all.row_start[at(row) + 1]; ++k)
      if (components_.owner[at(all.columns[at(k)])] == component) {
        mine.columns.push_back(components_.place[at(all.columns[at(k)])]);
        slots.push_back(k);
      }
    mine.row_start.push_back(mine.block_count());
  };
  for (const int row : components_.of(component)) {
    take(general, row, pattern.general, general_slots);
    take(isotropic, row, pattern.isotropic, isotropic_slots);
  }
  if (part.matrix.pattern() != pattern) part.matrix = BlockMatrix(std::move(pattern));
  for (size_t k = 0; k < general_slots.size(); ++k)
    part.matrix.block(static_cast<int>(k)) = matrix.block(general_slots[k]);
  for (size_t k = 0; k < isotropic_slots.size(); ++k)
    part.matrix.isotropic_block(static_cast<int>(k)) = matrix.isotropic_block(isotropic_slots[k]);
}

void DecomposedSolver::find_fixed_part(const BlockMatrix& matrix, std::span<const Vec3> x) {
  fixed_part_.assign(x.size(), Vec3::Zero());
  const BlockPattern &general = matrix.pattern().general, &isotropic = matrix.pattern().isotropic;
  const auto is_fixed = [&](int row) { return components_.owner[at(row)] < 0; };
  for (int row = 0; row < matrix.row_count(); ++row) {
    const auto add = [&](int column, const auto& block, const auto& transpose) {
      if (is_fixed(column) && !is_fixed(row)) fixed_part_[at(row)] += block * x[at(column)];
      if (is_fixed(row) && !is_fixed(column)) fixed_part_[at(column)] += transpose * x[at(row)];
    };
    for (int k = general.row_start[at(row)] + 1; k < general.row_start[at(row) + 1]; ++k)
      add(general.columns[at(k)], matrix.block(k), matrix.block(k).transpose());
    for (int k = isotropic.row_start[at(row)]; k < isotropic.row_start[at(row) + 1]; ++k)
      add(isotropic.columns[at(k)], matrix.isotropic_block(k), matrix.isotropic_block(k));
  }
}

void DecomposedSolver::take_vectors(int component, std::span<const Vec3> b, std::span<const Vec3> reference,
                                    const SolverSettings& settings, std::span<const Vec3> x,
                                    Part& part) const {
  const auto rows = components_.of(component);
  const auto take = [&](std::span<const Vec3> from, std::vector<Vec3>& to) {
    to.clear();
    if (from.empty()) return;
    for (const int row : rows) to.push_back(from[at(row)]);
  };
  take(b, part.b);
  take(reference, part.reference);
  take(settings.driving, part.driving);
  take(x, part.x);
  for (size_t i = 0; i < rows.size(); ++i) {
    const Vec3& fixed = fixed_part_[at(rows[i])];
    part.b[i] -= fixed;
    if (scale_.prescribed && !part.driving.empty()) part.driving[i] -= fixed;
  }
}

void DecomposedSolver::take_projection(const BlockProjection& projection) {
  for (Part& part : parts_) part.projection.clear();
  for (size_t k = 0; k < projection.particles().size(); ++k) {
    const int row = projection.particles()[k], owner = components_.owner[at(row)];
    if (owner >= 0) parts_[at(owner)].projection.add(components_.place[at(row)], projection.free(k));
  }
}

void DecomposedSolver::take_couplings(std::span<const PairCoupling> couplings, std::span<const Vec3> x) {
  for (Part& part : parts_) part.couplings.clear();
  for (const PairCoupling& coupling : couplings) {
    int owner = -1;
    double fixed_length = 0;
    PairCoupling mine{.strength = coupling.strength};
    mine.direction.fill(Vec3::Zero());
    for (size_t i = 0; i < 4; ++i) {
      const int row = coupling.rows[i];
      if (coupling.direction[i] == Vec3::Zero()) continue;
      if (components_.owner[at(row)] < 0) {
        fixed_length += coupling.direction[i].dot(x[at(row)]);
        continue;
      }
      owner = components_.owner[at(row)];
      mine.rows[i] = components_.place[at(row)];
      mine.direction[i] = coupling.direction[i];
    }
    if (owner < 0) continue;
    Part& part = parts_[at(owner)];
    mine.add(-mine.strength * fixed_length, part.b);
    part.couplings.push_back(mine);
  }
}

void DecomposedSolver::take_limits(std::span<const NetLimit> limits) {
  for (Part& part : parts_) part.net_limits.clear();
  for (const NetLimit& limit : limits) {
    // Components may share a limit: each gets a part by its rows, so that their sum keeps it, and many small
    // ones leave most of it to a large one.
    std::vector<int> owners;
    for (int row = limit.rows.begin; row < limit.rows.end; ++row)
      if (components_.owner[at(row)] >= 0) owners.push_back(components_.owner[at(row)]);
    const auto all_rows = static_cast<double>(owners.size());
    std::sort(owners.begin(), owners.end());
    owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
    for (const int owner : owners) {
      const auto rows = components_.of(owner);
      const auto place = [&](int row) {
        return static_cast<int>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
      };
      const RowRange mine{place(limit.rows.begin), place(limit.rows.end)};
      parts_[at(owner)].net_limits.push_back({mine, limit.length * (mine.end - mine.begin) / all_rows});
    }
  }
}

double DecomposedSolver::find_share(const BlockMatrix& matrix, const BlockProjection& projection,
                                    bool has_driving) {
  // Without a reference the targets of all add up as they are.
  if (!scale_.reference)
    return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return all_finite(part.b); })
               ? 1
               : INFINITY;
  measure_.assign(matrix, projection, all_couplings_);
  for_chunks(
      components_.count(),
      [&](int component, int, int) {
        Part& part = parts_[at(component)];
        const auto rows = components_.of(component);
        part.own = part.other = 0;
        for (size_t i = 0; i < rows.size(); ++i) {
          part.own += measure_.norm(rows[i], has_driving ? part.driving[i] : part.b[i]);
          part.other += measure_.norm(rows[i], part.reference[i]);
        }
      },
      1);
  double own = 0, other = 0, sum = 0;
  for (const Part& part : parts_) {
    own += part.own;
    other += part.other;
    sum += std::max(part.own, part.other);
  }
  return sum > 0 ? std::sqrt(std::max(own, other) / sum) : 1;
}

SolverReport DecomposedSolver::sum_reports(double tolerance, double share) const {
  SolverReport sum{.converged = true};
  double norm = 0;
  for (const Part& part : parts_) {
    const SolverReport& report = part.report;
    sum.iterations = std::max(sum.iterations, report.iterations);
    sum.row_products += report.row_products;
    sum.target += report.target;
    sum.converged = sum.converged && report.converged;
    const double relative = report.relative_residual / (share * tolerance);
    norm += report.target > 0 ? relative * relative * report.target : report.relative_residual;
  }
  sum.relative_residual = relative_residual(tolerance, norm, sum.target);
  return sum;
}

SolverReport DecomposedSolver::solve(const BlockMatrix& matrix, std::span<const Vec3> b,
                                     std::span<const Vec3> reference, const BlockProjection& projection,
                                     const SolverSettings& settings, std::span<Vec3> x,
                                     std::span<const PairCoupling> couplings) {
  RowComponents found = find_components(matrix, projection, couplings);
  const bool is_same = settings.same_matrix && found == components_;
  components_ = std::move(found);
  const double free_rows = static_cast<double>(components_.rows.size());
  if (components_.count() == 1 && free_rows > kWhole * matrix.row_count()) {
    SolverSettings own = settings;
    own.same_matrix = is_same;
    return whole_->solve(matrix, b, reference, projection, own, x, couplings);
  }
  parts_.resize(at(components_.count()));
  const auto for_parts = [&](const auto& body) {
    for_chunks(
        components_.count(), [&](int component, int, int) { body(component, parts_[at(component)]); }, 1);
  };
  find_fixed_part(matrix, x);
  for_parts([&](int component, Part& part) {
    if (!is_same) take_matrix(component, matrix, part);
    take_vectors(component, b, reference, settings, x, part);
  });
  take_projection(projection);
  take_couplings(couplings, x);
  take_limits(settings.net_limits);
  all_couplings_.assign(couplings, matrix.row_count());
  const double share = find_share(matrix, projection, !settings.driving.empty());
  if (!std::isfinite(share)) return {.relative_residual = INFINITY};
  for_parts([&](int, Part& part) {
    if (!part.solver) part.solver = make_();
    part.report = part.solver->solve(part.matrix, part.b, part.reference, part.projection,
                                     {.tolerance = share * settings.tolerance,
                                      .max_iterations = settings.max_iterations,
                                      .negligible = settings.negligible / components_.count(),
                                      .same_matrix = is_same,
                                      .driving = part.driving,
                                      .net_limits = part.net_limits},
                                     part.x, part.couplings);
  });
  for (int component = 0; component < components_.count(); ++component)
    for (const int row : components_.of(component))
      x[at(row)] = parts_[at(component)].x[at(components_.place[at(row)])];
  return sum_reports(settings.tolerance, share);
}

size_t DecomposedSolver::bytes() const {
  size_t sum = whole_->bytes() + measure_.bytes() + all_couplings_.bytes() +
               bytes_of(components_.start, components_.rows, components_.owner, components_.place, parts_,
                        fixed_part_);
  for (const Part& part : parts_)
    sum += (part.solver ? part.solver->bytes() : 0) + part.matrix.bytes() + part.projection.bytes() +
           bytes_of(part.couplings, part.net_limits, part.b, part.reference, part.driving, part.x);
  return sum;
}

}  // namespace heddle
