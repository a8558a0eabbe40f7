#include <heddle/integrate/semi_implicit_euler.h>

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
/// Stiffness of springs between surfaces: they leave 1 / (1 + this) of an intrusion. Chosen on a
/// twisted sheet, see docs/models/surface_contact.md.
constexpr double kSpringStiffness = 16;
/// Newton's method for the end of a step: iterations at most, the part of its residual that each linear solve
/// may leave, and how many times the residual of a step may be left in the end. See
/// docs/models/semi_implicit_euler.md.
constexpr int kMostCorrections = 10;
constexpr double kForcing = 0.01;
constexpr double kEnough = 10;
/// A correction that leaves more than this share of its slope, turned round, was too long.
constexpr double kOvershoot = 0.5;
constexpr double kRounding = 1e-9;

size_t at(int i) {
  return static_cast<size_t>(i);
}

PairCoupling coupling_of(const PairSpring& spring, double strength) {
  PairCoupling coupling{.rows = spring.particles, .direction = {}, .strength = strength};
  for (size_t i = 0; i < 4; ++i) coupling.direction[i] = spring.weights[i] * spring.normal;
  return coupling;
}

}  // namespace

void SemiImplicitEuler::describe(Describer<SemiImplicitEuler>& d) {
  d.type("semi_implicit_euler", "integrator",
         "Backward Euler with one linear solve a step: robust; damps motion, the more the longer the step.");
  d.parameter("time_step", &SemiImplicitEuler::time_step,
              {.unit = "s",
               .doc = "Length of a step; rounded so that frames hold a whole number of steps.",
               .minimum = 1e-6,
               .maximum = 0.1});
  d.parameter("lively", &SemiImplicitEuler::lively,
              {.unit = "",
               .doc = "Let cloth swing and spin on instead of braking it, at about twice the cost or more."});
  d.include(&SemiImplicitEuler::solver);
}

SemiImplicitEulerIntegrator::SemiImplicitEulerIntegrator(const SemiImplicitEuler& parameters)
    : parameters_(parameters), solver_(make_linear_solver(parameters.solver)) {}

void SemiImplicitEulerIntegrator::linearise(const System& system, double dt, const State& state) {
  const int n = system.particle_count();
  if (revision_ != system.revision() || matrix_.row_count() != n) {
    revision_ = system.revision();
    matrix_ = BlockMatrix(system.pattern());
    constant_ = matrix_;
    constant_dt_ = 0;
    parts_ = system.pattern().parts();
  }
  if (constant_dt_ != dt) system.constant_matrix(dt * dt, dt, constant_);
  constant_dt_ = dt;
  for (auto* vector : {&force_, &external_, &stiffness_velocity_, &rhs_}) vector->resize(at(n));
  system.linearise(configuration_of(state), constant_,
                   {.stiffness_scale = dt * dt,
                    .damping_scale = dt,
                    .form = JacobianForm::positive,
                    .matrix = &matrix_,
                    .force = force_,
                    .stiffness_velocity = stiffness_velocity_,
                    .straight_motion = parameters_.lively ? dt * dt : 0},
                   external_);
  parallel_for(n, [&](int i) { external_[at(i)] *= dt; });
  dv_.assign(at(n), Vec3::Zero());
}

void SemiImplicitEulerIntegrator::add_springs(std::span<const PairSpring> springs,
                                              std::span<const double> mass, double dt, const State& state) {
  couplings_.resize(springs.size());
  for (size_t c = 0; c < springs.size(); ++c) {
    const PairSpring& spring = springs[c];
    double compliance = 0;
    for (size_t i = 0; i < 4; ++i)
      compliance += spring.weights[i] * spring.weights[i] / mass[at(spring.particles[i])];
    const PairCoupling& coupling = couplings_[c] =
        coupling_of(spring, spring.strength > 0 ? spring.strength : kSpringStiffness / compliance);
    const double rate = coupling.length(state.v);
    coupling.add(coupling.strength * ((spring.target - spring.gap) / dt - rate), rhs_);
  }
}

void SemiImplicitEulerIntegrator::add_brakes(std::span<const Brake> brakes, double dt, const State& state) {
  for (const Brake& brake : brakes) {
    PairCoupling& coupling = couplings_.emplace_back();
    coupling.rows.fill(brake.particle);
    coupling.direction.fill(Vec3::Zero());
    coupling.direction[0] = brake.direction;
    coupling.strength = dt * brake.strength;
    const double speed = brake.direction.dot(state.v[at(brake.particle)] - brake.surface_velocity);
    coupling.add(-coupling.strength * speed, rhs_);
  }
}

void SemiImplicitEulerIntegrator::finish_springs(std::span<PairSpring> springs, double dt,
                                                 const State& state) {
  for (size_t c = 0; c < springs.size(); ++c) {
    PairSpring& spring = springs[c];
    const double rate = couplings_[c].length(state.v);
    spring.impulse = couplings_[c].strength * ((spring.target - spring.gap) / dt - rate);
  }
}

void SemiImplicitEulerIntegrator::start_from_prescribed(const VelocityFilter& filter, const State& state) {
  std::vector<Vec3>& target = rhs_;  // rhs_ gets its own content later
  const int n = state.particle_count();
  parallel_for(n, [&](int i) { target[at(i)] = state.v[at(i)] + dv_[at(i)]; });
  filter.impose(target);
  parallel_for(n, [&](int i) { dv_[at(i)] = target[at(i)] - state.v[at(i)]; });
}

void SemiImplicitEulerIntegrator::find_reaction(const BlockProjection& projection, double dt,
                                                std::span<Vec3> reaction) {
  for (const PairCoupling& coupling : couplings_)
    coupling.add(-coupling.strength * coupling.length(dv_), rhs_);
  std::fill(reaction.begin(), reaction.end(), Vec3::Zero());
  for (const int i : projection.particles())
    reaction[at(i)] = (matrix_.row_times(i, dv_.data()) - rhs_[at(i)]) / dt;
}

double SemiImplicitEulerIntegrator::advance(std::span<const Vec3> load, std::span<const Vec3> reaction,
                                            double dt, State& state) {
  state.time += dt;
  ++state.step;
  return ordered_sum(state.particle_count(), 0.0, partial_, [&](int begin, int end) {
    double work = 0;
    for (int i = begin; i < end; ++i) {
      state.v[at(i)] += dv_[at(i)];
      state.x[at(i)] += dt * state.v[at(i)];
      Vec3 impulse = external_[at(i)] + dt * reaction[at(i)];
      if (!load.empty()) impulse += dt * load[at(i)];
      work += impulse.dot(state.v[at(i)]);
    }
    return work;
  });
}

void SemiImplicitEulerIntegrator::find_net_limits(const StepLoads& loads) {
  net_limits_.clear();
  if (!loads.glides && loads.springs.empty()) return;
  const double share = loads.glides ? kGlidingTolerance : kNetTolerance;
  for (const auto& [begin, end] : parts_) {
    const Vec3 net = std::accumulate(external_.begin() + begin, external_.begin() + end, Vec3(Vec3::Zero()));
    if (net != Vec3::Zero()) net_limits_.push_back({{begin, end}, share * net.norm()});
  }
}

StepReport SemiImplicitEulerIntegrator::step(const System& system, const VelocityFilter& filter,
                                             const StepLoads& loads, double dt, State& state,
                                             std::span<Vec3> reaction) {
  if (!loads.again) linearise(system, dt, state);
  start_from_prescribed(filter, state);
  parallel_for(system.particle_count(), [&](int i) {
    const Vec3 load = loads.force.empty() ? Vec3(Vec3::Zero()) : loads.force[at(i)];
    rhs_[at(i)] = dt * (force_[at(i)] + load - dt * stiffness_velocity_[at(i)]);
  });
  driving_.assign(rhs_.begin(), rhs_.end());
  add_springs(loads.springs, system.mass(), dt, state);
  add_brakes(loads.brakes, dt, state);
  find_net_limits(loads);
  const BlockProjection projection = filter.projection();
  const double total_mass = std::accumulate(system.mass().begin(), system.mass().end(), 0.0);
  const SolverReport solved = solver_->solve(matrix_, rhs_, external_, projection,
                                             {.tolerance = parameters_.solver.tolerance,
                                              .max_iterations = parameters_.solver.max_iterations,
                                              .negligible = total_mass * kNegligibleSpeed * kNegligibleSpeed,
                                              .same_matrix = loads.again,
                                              .resembles_last = !loads.again,
                                              .driving = driving_,
                                              .net_limits = net_limits_},
                                             dv_, couplings_);
  accepted_ = solved.target;
  find_reaction(projection, dt, reaction);
  const double outer_work = advance(loads.force, reaction, dt, state);
  finish_springs(loads.springs, dt, state);

  StepReport report{.solver_iterations = solved.iterations,
                    .solver_residual = solved.relative_residual,
                    .outer_work = outer_work};
  if (solved.converged) return report;
  report.outcome = StepOutcome::retry_smaller;
  report.reason = std::isfinite(solved.relative_residual)
                      ? "the linear solver stopped at residual " +
                            short_number_text(solved.relative_residual) + " after " +
                            std::to_string(solved.iterations) + " iterations; raise integrator.max_iterations"
                      : "forces or stiffness are beyond all measure; look for absurd values in the scene";
  return report;
}

void SemiImplicitEulerIntegrator::find_lack(const System& system, const StepLoads& loads, double dt,
                                            const State& begin, std::span<const PairSpring> springs,
                                            const State& state) {
  linearise(system, dt, state);
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
  add_brakes(loads.brakes, dt, state);
}

double SemiImplicitEulerIntegrator::slope() {
  return ordered_sum(static_cast<int>(rhs_.size()), 0.0, partial_, [&](int first, int last) {
    double sum = 0;
    for (int i = first; i < last; ++i) sum += rhs_[at(i)].dot(correction_[at(i)]);
    return sum;
  });
}

void SemiImplicitEulerIntegrator::move(double amount, double dt, State& state) {
  parallel_for(state.particle_count(), [&](int i) {
    state.v[at(i)] += amount * correction_[at(i)];
    state.x[at(i)] += dt * amount * correction_[at(i)];
  });
}

void SemiImplicitEulerIntegrator::find_free_correction(Barrier& barrier, double dt, const State& state) {
  parallel_for(state.particle_count(), [&](int i) { correction_[at(i)] = state.x[at(i)] + dt * dv_[at(i)]; });
  barrier.clip(state.x, correction_);
  parallel_for(state.particle_count(),
               [&](int i) { correction_[at(i)] = (correction_[at(i)] - state.x[at(i)]) / dt; });
}

void SemiImplicitEulerIntegrator::keep_momentum(const System& system, double dt, const State& begin,
                                                State& state) {
  const auto is_inner = [](const PairCoupling& coupling) {
    const Vec3 sum =
        coupling.direction[0] + coupling.direction[1] + coupling.direction[2] + coupling.direction[3];
    return sum.norm() < kRounding;
  };
  if (!std::all_of(couplings_.begin(), couplings_.end(), is_inner)) return;
  Vec3 lack = Vec3::Zero();  // N s
  double mass = 0;
  for (size_t i = 0; i < state.x.size(); ++i) {
    lack += system.mass()[i] * (begin.v[i] - state.v[i]) + external_[i];
    mass += system.mass()[i];
  }
  correction_.assign(state.x.size(), lack / mass);
  move(1, dt, state);
}

StepReport SemiImplicitEulerIntegrator::improve(const System& system, const VelocityFilter& filter,
                                                const StepLoads& loads, double dt, const State& begin,
                                                Barrier& barrier, State& state) {
  const BlockProjection projection = filter.projection();
  correction_.resize(state.x.size());
  StepReport report{.outcome = StepOutcome::doubtful};
  double first_slope = 0;  // J, of the last correction where it began
  for (int k = 0; k < kMostCorrections; ++k) {
    find_lack(system, loads, dt, begin, barrier.springs(state.x), state);
    projection.apply(rhs_);
    if (k > 0 && slope() < -kOvershoot * first_slope) {
      parallel_for(state.particle_count(), [&](int i) { correction_[at(i)] *= 0.5; });
      first_slope *= 0.5;
      move(-1, dt, state);
      continue;
    }
    const SolverReport solved = solver_->solve(matrix_, rhs_, rhs_, projection,
                                               {.tolerance = kForcing,
                                                .max_iterations = parameters_.solver.max_iterations,
                                                .negligible = kEnough * kEnough * accepted_},
                                               dv_, couplings_);
    report.solver_iterations += solved.iterations;
    if (solved.iterations == 0) {
      report.outcome = StepOutcome::accepted;
      break;
    }
    find_free_correction(barrier, dt, state);
    first_slope = slope();
    move(1, dt, state);
  }
  // A shift of all particles may lead through obstacles, which may have taken what lacks, too.
  if (filter.constrained_count() == 0 && barrier.is_alone()) keep_momentum(system, dt, begin, state);
  return report;
}

}  // namespace heddle
