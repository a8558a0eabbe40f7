#include <heddle/integrate/contact_couplings.h>
#include <heddle/integrate/stage_solver.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {

/// Newton's method for the end of a step: iterations at most, the part of its residual that each linear solve
/// may leave, and how many times the residual of a step may be left in the end. See
/// docs/models/semi_implicit_euler.md.
constexpr int kMostCorrections = 10;
constexpr double kForcing = 0.01;
constexpr double kEnough = 10;
/// The residual sums over the whole cloth and so lets single triangles of a fine one be wrong. Ends that are
/// not sound are corrected this many times more, by this forcing.
constexpr int kMoreCorrections = 2;
constexpr double kMoreForcing = 0.1;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Rows on which something from outside acts, by constraints or couplings.
std::vector<int> held_rows(const BlockProjection& projection, std::span<const PairCoupling> couplings) {
  constexpr double kRounding = 1e-9;
  std::vector<int> rows(projection.particles().begin(), projection.particles().end());
  for (const PairCoupling& coupling : couplings) {
    const auto& direction = coupling.direction;
    const Vec3 sum = direction[0] + direction[1] + direction[2] + direction[3];
    if (sum.norm() < kRounding) continue;
    for (size_t i = 0; i < 4; ++i)
      if (direction[i] != Vec3::Zero()) rows.push_back(coupling.rows[i]);
  }
  return rows;
}

}  // namespace

void StageSolver::find_lack(const System& system, const StepLoads& loads, double dt, const State& begin,
                            std::span<const PairSpring> springs, const State& state) {
  const StageEquation stage = StageEquation::backward_euler(begin, dt);
  linearise(system, stage, configuration_of(state));
  parallel_for(system.particle_count(), [&](int i) {
    const Vec3 load = loads.force.empty() ? Vec3(Vec3::Zero()) : loads.force[at(i)];
    rhs_[at(i)] = system.mass()[at(i)] * (begin.v[at(i)] - state.v[at(i)]) + dt * (force_[at(i)] + load);
  });
  couplings_.resize(springs.size());
  for (size_t c = 0; c < springs.size(); ++c) {
    const PairSpring& spring = springs[c];
    const PairCoupling& coupling = couplings_[c] = coupling_of(spring, spring.strength);
    coupling.add(coupling.strength * (spring.target - spring.gap) / dt, rhs_);
  }
  add_brakes(loads.brakes, stage, state.v);
}

double StageSolver::slope() {
  return ordered_sum(static_cast<int>(rhs_.size()), 0.0, partial_, [&](int first, int last) {
    double sum = 0;
    for (int i = first; i < last; ++i) sum += rhs_[at(i)].dot(correction_[at(i)]);
    return sum;
  });
}

void StageSolver::move(double amount, double dt, State& state) {
  parallel_for(state.particle_count(), [&](int i) {
    state.v[at(i)] += amount * correction_[at(i)];
    state.x[at(i)] += dt * amount * correction_[at(i)];
  });
}

void StageSolver::find_free_correction(Barrier& barrier, double dt, const State& state) {
  parallel_for(state.particle_count(), [&](int i) { correction_[at(i)] = state.x[at(i)] + dt * dv_[at(i)]; });
  barrier.clip(state.x, correction_);
  parallel_for(state.particle_count(),
               [&](int i) { correction_[at(i)] = (correction_[at(i)] - state.x[at(i)]) / dt; });
}

void StageSolver::keep_momentum(const System& system, const BlockProjection& projection, double dt,
                                const Refinement& refinement, State& state) {
  const State& begin = refinement.begin;
  const std::vector<int> held = held_rows(projection, couplings_);
  const std::span<const int> turning = system.turning_particles();
  // Moments and forces do not add up.
  const auto is_turning = [&](int i) { return std::binary_search(turning.begin(), turning.end(), i); };
  const auto is_free = [&](int part) {
    const RowRange& rows = parts_[at(part)];
    return std::none_of(held.begin(), held.end(), [&](int i) { return rows.begin <= i && i < rows.end; });
  };
  std::vector<int> all(parts_.size());
  std::iota(all.begin(), all.end(), 0);
  if (std::none_of(all.begin(), all.end(), is_free)) return;
  correction_.assign(state.x.size(), Vec3::Zero());
  for (const std::vector<int>& group : refinement.barrier.groups_alone(parts_)) {
    if (!std::all_of(group.begin(), group.end(), is_free)) continue;
    Vec3 lack = Vec3::Zero();  // N s
    double mass = 0;
    for (const int part : group)
      for (int i = parts_[at(part)].begin; i < parts_[at(part)].end; ++i) {
        if (is_turning(i)) continue;
        lack += system.mass()[at(i)] * (begin.v[at(i)] - state.v[at(i)]) + external_[at(i)];
        mass += system.mass()[at(i)];
      }
    for (const int part : group)
      for (int i = parts_[at(part)].begin; i < parts_[at(part)].end; ++i)
        if (!is_turning(i)) correction_[at(i)] = lack / mass;
  }
  move(1, dt, state);
}

void StageSolver::settle_momentum(const System& system, const BlockProjection& projection, State& state) {
  const auto among = [](std::span<const int> rows, int i) {
    return std::binary_search(rows.begin(), rows.end(), i);
  };
  for (const RowRange& rows : parts_) {
    const auto next =
        std::lower_bound(projection.particles().begin(), projection.particles().end(), rows.begin);
    if (next != projection.particles().end() && *next < rows.end) continue;
    Vec3 lack = Vec3::Zero();  // N s
    double mass = 0;
    for (int i = rows.begin; i < rows.end; ++i) {
      if (among(system.turning_particles(), i)) continue;
      lack += rhs_[at(i)];
      mass += system.mass()[at(i)];
    }
    for (int i = rows.begin; i < rows.end; ++i)
      if (!among(system.turning_particles(), i)) state.v[at(i)] += lack / mass;
  }
}

StepReport StageSolver::improve(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                                double dt, const Refinement& refinement, State& state) {
  const State& begin = refinement.begin;
  Barrier& barrier = refinement.barrier;
  const BlockProjection projection = filter.projection();
  correction_.resize(state.x.size());
  is_lively_ = false;
  StepReport report{.outcome = StepOutcome::doubtful};
  double first_slope = 0;  // J, of the last correction where it began
  int more = 0;
  const auto solve = [&](double forcing, double negligible) {
    const SolverReport solved = solver_->solve(matrix_, rhs_, rhs_, projection,
                                               {.tolerance = forcing,
                                                .max_iterations = settings_.linear.max_iterations,
                                                .negligible = negligible,
                                                .similar_matrix = true},
                                               dv_, couplings_);
    report.solver_iterations += solved.iterations;
    report.row_products += solved.row_products;
    return solved.iterations > 0;
  };
  for (int k = 0; k < kMostCorrections; ++k) {
    find_lack(system, loads, dt, begin, barrier.springs(state.x), state);
    projection.apply(rhs_);
    if (k > 0 && overshot(first_slope)) {
      shorten_correction(0.5);
      first_slope *= 0.5;
      move(-1, dt, state);
      continue;
    }
    const bool balanced = !solve(kForcing, kEnough * kEnough * accepted_);
    if (balanced &&
        (refinement.is_sound(state) || more++ == kMoreCorrections || !solve(kMoreForcing, accepted_))) {
      report.outcome = StepOutcome::accepted;
      break;
    }
    find_free_correction(barrier, dt, state);
    first_slope = slope();
    move(1, dt, state);
  }
  if (refinement.bodies_take_part) {
    find_lack(system, loads, dt, begin, barrier.springs(state.x), state);
    finish_brakes(loads.brakes, StageEquation::backward_euler(begin, dt), state.v);
    barrier.finish(dt);
    settle_momentum(system, projection, state);
  } else {
    keep_momentum(system, projection, dt, refinement, state);
  }
  return report;
}

StepReport StageSolver::improve_explicit(const System& system, const VelocityFilter& filter,
                                         const StepLoads& loads, double dt, const Refinement& refinement,
                                         State& state) {
  // What a stage with these outer forces would be allowed to leave.
  linearise(system, StageEquation::backward_euler(refinement.begin, dt), configuration_of(refinement.begin));
  accepted_ = solver_
                  ->solve(matrix_, external_, external_, filter.projection(),
                          {.tolerance = settings_.linear.tolerance, .max_iterations = 0}, dv_)
                  .target;
  return improve(system, filter, loads, dt, refinement, state);
}

}  // namespace heddle
