#include <heddle/integrate/stage_solver.h>

#include <heddle/core/text.h>
#include <heddle/integrate/contact_couplings.h>
#include <heddle/integrate/sparse_jacobian.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle {

namespace {

/// Errors of the velocity below this mean nothing, m/s; without it a system at perfect rest has no solution
/// that is accurate relative to its vanishing forces.
constexpr double kNegligibleSpeed = 1e-12;
/// Share of the outer forces on each piece of cloth that the solver may leave over while pieces touch each
/// other: with a bound for all of them together, one that is jerked away would hide what the others lack.
constexpr double kNetTolerance = 0.02;
/// The same while something glides. With 0.02 sheets on a slope got faster by a third less than they should.
constexpr double kGlidingTolerance = 1e-3;
/// Where stiffness comes and goes, as in springs that only pull, corrections that end on the far side may go
/// to and fro without end. After that many linear solves kHardOvershoot takes the place of kOvershoot, and
/// the share of a correction that is left is found by the slopes at its ends, but is no less than
/// kLeastShare.
constexpr int kHardSolves = 20;
constexpr double kHardOvershoot = 0.05, kLeastShare = 0.1;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Of the mean velocity of the step along a coupling, if the stage has velocity v.
double mean_rate(const PairCoupling& coupling, const StageEquation& stage, std::span<const Vec3> v) {
  const double drift = stage.drift.empty() ? 0 : coupling.length(stage.drift);
  return drift + stage.mean_share() * coupling.length(v);
}

/// N s, if the stage has velocity v; couplings hold mean_share() times the strength of their spring.
double impulse_of(const PairSpring& spring, const PairCoupling& coupling, const StageEquation& stage,
                  std::span<const Vec3> v) {
  const double strength = coupling.strength / stage.mean_share();
  return strength * ((spring.target - spring.gap) / stage.dt - mean_rate(coupling, stage, v));
}

double impulse_of(const Brake& brake, const StageEquation& stage, std::span<const Vec3> v) {
  Vec3 mean = stage.mean_share() * v[at(brake.particle)];
  if (!stage.drift.empty()) mean += stage.drift[at(brake.particle)];
  return -stage.dt * brake.strength * brake.direction.dot(mean - brake.surface_velocity);
}

}  // namespace

StageSolver::StageSolver(const StageSettings& settings)
    : settings_(settings), solver_(make_linear_solver(settings.linear)) {}

void StageSolver::linearise(const System& system, const StageEquation& stage, const Configuration& q) {
  const int n = system.particle_count();
  if (revision_ != system.revision() || matrix_.row_count() != n) {
    revision_ = system.revision();
    matrix_ = BlockMatrix(system.pattern());
    constant_ = BlockMatrix(system.pattern());
    if (settings_.newton.sparse) sparse_ = BlockMatrix(sparse_pattern(system.pattern()));
    constant_damping_ = 0;
    parts_ = system.pattern().parts();
  }
  const double stiffness = stage.force_time * stage.position_time, damping = stage.force_time;
  const double kept = settings_.splitting.stable ? 0 : 1;  // no constant part if elements may leave it
  if (constant_stiffness_ != stiffness || constant_damping_ != damping)
    system.constant_matrix(kept * stiffness, kept * damping, constant_, settings_.splitting.explicit_terms);
  constant_stiffness_ = stiffness;
  constant_damping_ = damping;
  std::optional<StableElements>& stable = settings_.splitting.stable;
  if (stable) {
    stable->dt = stage.dt;
    stable->mass = system.element_mass();
    stable->implicit = &implicit_elements_;
    implicit_elements_ = 0;
  }
  for (auto* vector : {&force_, &external_, &stiffness_velocity_, &rhs_}) vector->resize(at(n));
  system.linearise(q, constant_,
                   {.stiffness_scale = stiffness,
                    .damping_scale = damping,
                    .form = JacobianForm::positive,
                    .matrix = &matrix_,
                    .force = force_,
                    .stiffness_velocity = stiffness_velocity_,
                    .straight_motion = is_lively_ ? stage.dt * stage.dt : 0,
                    .stable = stable ? &*stable : nullptr},
                   external_, settings_.splitting.explicit_terms);
  parallel_for(n, [&](int i) { external_[at(i)] *= stage.force_time; });
  dv_.assign(at(n), Vec3::Zero());
}

void StageSolver::find_force(const System& system, const Configuration& q) {
  system.force(q, force_);
  dv_.assign(force_.size(), Vec3::Zero());
}

void StageSolver::start_from_prescribed(const VelocityFilter& filter, std::span<const Vec3> velocity) {
  std::vector<Vec3>& target = rhs_;  // rhs_ gets its own content later
  const int n = static_cast<int>(velocity.size());
  parallel_for(n, [&](int i) { target[at(i)] = velocity[at(i)] + dv_[at(i)]; });
  filter.impose(target);
  parallel_for(n, [&](int i) { dv_[at(i)] = target[at(i)] - velocity[at(i)]; });
}

void StageSolver::find_rhs(const System& system, const StepLoads& loads, const StageEquation& stage,
                           const StageGuess& guess) {
  const bool starts_at_predictor = guess.q.v.data() == stage.v.data();
  parallel_for(system.particle_count(), [&](int i) {
    const Vec3 load = loads.force.empty() ? Vec3(Vec3::Zero()) : loads.force[at(i)];
    rhs_[at(i)] = stage.force_time * (force_[at(i)] + load - guess.slack * stiffness_velocity_[at(i)]);
    if (!starts_at_predictor) rhs_[at(i)] += system.mass()[at(i)] * (stage.v[at(i)] - guess.q.v[at(i)]);
  });
}

void StageSolver::add_springs(std::span<const PairSpring> springs, std::span<const double> mass,
                              const StageEquation& stage, std::span<const Vec3> v) {
  couplings_.resize(springs.size());
  for (size_t c = 0; c < springs.size(); ++c) {
    // Springs of the usual strength leave the same part of an intrusion in every method.
    const double strength =
        springs[c].strength > 0 ? stage.mean_share() * springs[c].strength : strength_of(springs[c], mass);
    const PairCoupling& coupling = couplings_[c] = coupling_of(springs[c], strength);
    coupling.add(impulse_of(springs[c], coupling, stage, v), rhs_);
  }
}

void StageSolver::add_brakes(std::span<const Brake> brakes, const StageEquation& stage,
                             std::span<const Vec3> v) {
  for (const Brake& brake : brakes) {
    const PairCoupling& coupling =
        couplings_.emplace_back(coupling_of(brake, stage.mean_share() * stage.dt * brake.strength));
    coupling.add(impulse_of(brake, stage, v), rhs_);
  }
}

void StageSolver::finish_contact(const StepLoads& loads, const StageEquation& stage) {
  for (size_t c = 0; c < loads.springs.size(); ++c)
    loads.springs[c].impulse = impulse_of(loads.springs[c], couplings_[c], stage, velocity_);
  finish_brakes(loads.brakes, stage, velocity_);
}

void StageSolver::finish_brakes(std::span<Brake> brakes, const StageEquation& stage,
                                std::span<const Vec3> v) {
  for (Brake& brake : brakes) brake.impulse = impulse_of(brake, stage, v);
}

void StageSolver::add_contact_impulses(const StepLoads& loads, const StageEquation& stage,
                                       std::span<Vec3> impulse) const {
  size_t c = 0;
  for (const PairSpring& spring : loads.springs) {
    couplings_[c].add(impulse_of(spring, couplings_[c], stage, velocity_), impulse);
    ++c;
  }
  for (const Brake& brake : loads.brakes) {
    couplings_[c].add(impulse_of(brake, stage, velocity_), impulse);
    ++c;
  }
}

void StageSolver::find_reaction(const BlockProjection& projection, const StageEquation& stage,
                                std::span<Vec3> reaction) {
  for (const PairCoupling& coupling : couplings_)
    coupling.add(-coupling.strength * coupling.length(dv_), rhs_);
  std::fill(reaction.begin(), reaction.end(), Vec3::Zero());
  if (projection.particles().empty()) return;
  product_.resize(dv_.size());
  used_matrix().multiply(dv_, product_);
  for (const int i : projection.particles())
    reaction[at(i)] = (product_[at(i)] - rhs_[at(i)]) / (stage.share * stage.dt);
}

void StageSolver::find_net_limits(const StepLoads& loads) {
  net_limits_.clear();
  if (!loads.glides && loads.springs.empty()) return;
  const double share = loads.glides ? kGlidingTolerance : kNetTolerance;
  for (const auto& [begin, end] : parts_) {
    const Vec3 net = std::accumulate(external_.begin() + begin, external_.begin() + end, Vec3(Vec3::Zero()));
    if (net != Vec3::Zero()) net_limits_.push_back({{begin, end}, share * net.norm()});
  }
}

StepReport StageSolver::solve_linearised(const System& system, const VelocityFilter& filter,
                                         const StepLoads& loads, const StageEquation& stage,
                                         const StageGuess& guess) {
  start_from_prescribed(filter, guess.q.v);
  find_rhs(system, loads, stage, guess);
  driving_.assign(rhs_.begin(), rhs_.end());
  add_springs(loads.springs, system.mass(), stage, guess.q.v);
  add_brakes(loads.brakes, stage, guess.q.v);
  find_net_limits(loads);
  const bool goes_on = settings_.newton.most_solves > 1;
  const double tolerance =
      goes_on ? std::max(settings_.linear.tolerance, settings_.newton.forcing) : settings_.linear.tolerance;
  const double total_mass = std::accumulate(system.mass().begin(), system.mass().end(), 0.0);
  const double negligible = total_mass * kNegligibleSpeed * kNegligibleSpeed;
  const SolverReport solved = solver_->solve(used_matrix(), rhs_, external_, filter.projection(),
                                             {.tolerance = tolerance,
                                              .max_iterations = settings_.linear.max_iterations,
                                              .negligible = negligible,
                                              .same_matrix = loads.again,
                                              .resembles_last = !loads.again && !goes_on,
                                              .driving = driving_,
                                              .net_limits = net_limits_},
                                             dv_, couplings_);
  const double share = goes_on ? settings_.linear.tolerance / tolerance : 1;
  accepted_ = std::max(negligible, share * share * solved.target);
  velocity_.resize(dv_.size());
  parallel_for(system.particle_count(), [&](int i) { velocity_[at(i)] = guess.q.v[at(i)] + dv_[at(i)]; });

  StepReport report{.solver_iterations = solved.iterations,
                    .row_products = solved.row_products,
                    .solver_residual = solved.relative_residual};
  if (solved.converged) return report;
  report.outcome = StepOutcome::retry_smaller;
  report.reason = std::isfinite(solved.relative_residual)
                      ? "the linear solver stopped at residual " +
                            short_number_text(solved.relative_residual) + " after " +
                            std::to_string(solved.iterations) + " iterations; raise integrator.max_iterations"
                      : "forces or stiffness are beyond all measure; look for absurd values in the scene";
  return report;
}

void StageSolver::find_stage_lack(const System& system, const StepLoads& loads, const StageEquation& stage,
                                  const Configuration& guess) {
  x_.resize(velocity_.size());
  parallel_for(system.particle_count(),
               [&](int i) { x_[at(i)] = stage.x[at(i)] + stage.position_time * velocity_[at(i)]; });
  const StageGuess here{guess.moved(x_, velocity_)};
  if (settings_.newton.frozen)
    find_force(system, here.q);
  else
    linearise(system, stage, here.q);
  find_rhs(system, loads, stage, here);
  add_springs(loads.springs, system.mass(), stage, velocity_);
  add_brakes(loads.brakes, stage, velocity_);
}

void StageSolver::shorten_correction(double share) {
  parallel_for(static_cast<int>(correction_.size()), [&](int i) { correction_[at(i)] *= share; });
}

void StageSolver::correct(const System& system, const StepLoads& loads, const StageEquation& stage,
                          const Configuration& guess, const BlockProjection& projection, StepReport& report) {
  const auto move_by = [&](double amount) {
    parallel_for(system.particle_count(), [&](int i) { velocity_[at(i)] += amount * correction_[at(i)]; });
  };
  const bool by_energy = settings_.newton.by_energy;
  correction_.assign(dv_.begin(), dv_.end());
  if (by_energy) move_by(downhill_share(system, stage, guess) - 1);
  double first_slope = -1;  // J, of the last correction where it began; of the first one unknown
  for (int solves = 1;; ++solves) {
    find_stage_lack(system, loads, stage, guess);
    const bool is_hard = solves > kHardSolves;
    const double allowed = (is_hard ? kHardOvershoot : kOvershoot) * first_slope;
    if (!by_energy && first_slope > 0 && solves < settings_.newton.most_solves)
      if (const double end = slope(); end < -allowed) {
        const double share = is_hard ? std::clamp(first_slope / (first_slope - end), kLeastShare, 0.5) : 0.5;
        move_by(share - 1);
        shorten_correction(share);
        first_slope *= share;
        continue;
      }
    const bool may_solve = solves < settings_.newton.most_solves;
    const SolverReport solved =
        solver_->solve(used_matrix(), rhs_, rhs_, projection,
                       {.tolerance = settings_.newton.forcing,
                        .max_iterations = may_solve ? settings_.linear.max_iterations : 0,
                        .negligible = accepted_,
                        .same_matrix = settings_.newton.frozen},
                       dv_, couplings_);
    report.solver_iterations += solved.iterations;
    report.row_products += solved.row_products;
    report.may_grow = solves <= settings_.newton.few;
    if (solved.iterations == 0) {
      const bool is_done = solved.converged && solved.target <= accepted_;
      if (is_done) return;
      report.outcome = StepOutcome::retry_smaller;
      report.reason = "Newton's method did not balance the forces of a step with " + std::to_string(solves) +
                      " linear solves; shorten integrator.time_step or raise integrator.newton_iterations";
      return;
    }
    correction_.assign(dv_.begin(), dv_.end());
    first_slope = slope();
    move_by(by_energy ? downhill_share(system, stage, guess.moved(x_, velocity_)) : 1);
  }
}

StepReport StageSolver::solve(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                              const StageEquation& stage, const StageGuess& guess, std::span<Vec3> reaction) {
  // Cloth that is not braked strikes cloth harder, which costs more than it gains.
  is_lively_ = settings_.lively && loads.springs.empty();
  if (!loads.again) linearise(system, stage, guess.q);
  if (settings_.newton.sparse) sparsify(matrix_, system.mass(), sparse_);
  StepReport report = solve_linearised(system, filter, loads, stage, guess);
  const BlockProjection projection = filter.projection();
  if (settings_.newton.most_solves > 1 && report.outcome == StepOutcome::accepted)
    correct(system, loads, stage, guess.q, projection, report);
  find_reaction(projection, stage, reaction);
  finish_contact(loads, stage);
  return report;
}

}  // namespace heddle
