#include <heddle/integrate/implicit_integrator.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

/// Part of the residual that a linear solve may leave (Hauth et al. 2002, 2.2.2).
constexpr double kForcing = 0.02;

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

StageSettings ImplicitParameters::stage_settings() const {
  NewtonSettings settings{.most_solves = newton == "once" ? 1 : newton_iterations,
                          .forcing = newton == "exact" ? linear.tolerance : kForcing,
                          .frozen = newton == "simplified" || newton == "sparse",
                          .sparse = newton == "sparse",
                          .by_energy = line_search == "energy"};
  return {.linear = linear, .newton = settings};
}

void ImplicitIntegrator::follow_constraints(const VelocityFilter& filter, double dt, const Plan& plan,
                                            const State& state) {
  // x* + d h w must be x_0 + share h w, where w is what is prescribed.
  const double time = (plan.share - plan.position) * dt;
  const int n = state.particle_count();
  drift_.resize(at(n));
  parallel_for(n, [&](int i) { drift_[at(i)] = x_[at(i)] - state.x[at(i)]; });
  const BlockProjection projection = filter.projection();
  if (time == 0) {
    projection.apply(drift_);
  } else {
    parallel_for(n, [&](int i) { drift_[at(i)] /= time; });
    filter.impose(drift_);
    parallel_for(n, [&](int i) { drift_[at(i)] *= time; });
  }
  parallel_for(n, [&](int i) {
    x_[at(i)] = state.x[at(i)] + drift_[at(i)];
    drift_[at(i)] /= plan.share * dt;
  });
}

void ImplicitIntegrator::finish(const System& system, const StepLoads& loads, const StageEquation& stage,
                                std::span<const Vec3> reaction, State& state) {
  kick_.assign(state.x.size(), Vec3::Zero());
  solver_.add_contact_impulses(loads, stage, kick_);
  const std::span<const Vec3> velocity = solver_.velocity();
  mean_.resize(state.x.size());
  state.time += stage.dt;
  ++state.step;
  parallel_for(state.particle_count(), [&](int i) {
    kick_[at(i)] = (kick_[at(i)] + stage.share * stage.dt * reaction[at(i)]) / system.mass()[at(i)];
    mean_[at(i)] = stage.mean_share() * velocity[at(i)];
    if (!stage.drift.empty()) mean_[at(i)] += stage.drift[at(i)];
    state.x[at(i)] += stage.dt * mean_[at(i)];
    // Only what smooth forces did is extended to the end of the step, contact acts once.
    const Vec3 smooth = velocity[at(i)] - kick_[at(i)] - state.v[at(i)];
    state.v[at(i)] += smooth / stage.share + kick_[at(i)];
  });
}

double ImplicitIntegrator::outer_work(const StepLoads& loads, const StageEquation& stage,
                                      std::span<const Vec3> reaction) {
  const double steps = stage.dt / stage.force_time;
  return ordered_sum(static_cast<int>(mean_.size()), 0.0, partial_, [&](int begin, int end) {
    double work = 0;
    for (int i = begin; i < end; ++i) {
      Vec3 impulse = steps * solver_.external()[at(i)] + stage.dt * reaction[at(i)];
      if (!loads.force.empty()) impulse += stage.dt * loads.force[at(i)];
      work += impulse.dot(mean_[at(i)]);
    }
    return work;
  });
}

StepReport ImplicitIntegrator::step(const System& system, const VelocityFilter& filter,
                                    const StepLoads& loads, double dt, State& state,
                                    std::span<Vec3> reaction) {
  begin_ = state;
  const Plan plan = this->plan(system, dt, state);
  if (plan.predicts) {
    follow_constraints(filter, dt, plan, begin_);
  } else {
    x_ = begin_.x;
    v_ = guess_ = begin_.v;
    drift_.clear();
  }
  const StageEquation stage{.dt = dt,
                            .force_time = plan.force * dt,
                            .position_time = plan.position * dt,
                            .share = plan.share,
                            .x = x_,
                            .v = v_,
                            .drift = drift_};
  filter.impose(guess_);
  guess_x_.resize(x_.size());
  parallel_for(state.particle_count(),
               [&](int i) { guess_x_[at(i)] = x_[at(i)] + stage.position_time * guess_[at(i)]; });
  StepLoads fresh = loads;
  fresh.again = false;
  StepReport report =
      solver_.solve(system, filter, fresh, stage,
                    {{guess_x_, guess_, begin_.time + plan.share * dt, begin_.frames}}, reaction);
  finish(system, loads, stage, reaction, state);
  report.outer_work = outer_work(loads, stage, reaction);
  remember(dt, plan, kick_, begin_, state);
  if (!plan.predicts && plan.share == 1) return report;  // the velocity at the end is the mean one
  const StepReport followed = contact_.follow(system, filter, loads, dt, mean_, state.v);
  report.add_work(followed);
  if (report.outcome == StepOutcome::accepted && followed.outcome != StepOutcome::accepted) {
    report.outcome = followed.outcome;
    report.reason = followed.reason;
  }
  return report;
}

StepReport ImplicitIntegrator::improve(const System& system, const VelocityFilter& filter,
                                       const StepLoads& loads, double dt, const Refinement& refinement,
                                       State& state) {
  forget_past(state);
  parallel_for(state.particle_count(),
               [&](int i) { state.v[at(i)] = (state.x[at(i)] - refinement.begin.x[at(i)]) / dt; });
  return solver_.improve(system, filter, loads, dt, refinement, state);
}

}  // namespace heddle
