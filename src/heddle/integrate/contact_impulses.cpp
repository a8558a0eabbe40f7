#include <heddle/integrate/contact_impulses.h>

#include <heddle/integrate/contact_couplings.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {

/// Of the impulses of contact; they are few and the masses precondition them well.
constexpr double kTolerance = 1e-6;
constexpr int kMostIterations = 1000;
constexpr double kNegligibleSpeed = 1e-12;  // m/s

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// N s, that a coupling gave: springs come first, then brakes.
double& given(const StepLoads& loads, size_t coupling) {
  const size_t springs = loads.springs.size();
  return coupling < springs ? loads.springs[coupling].impulse : loads.brakes[coupling - springs].impulse;
}

}  // namespace

void ContactImpulses::find_couplings(const System& system, const StepLoads& loads, double dt) {
  couplings_.clear();
  for (const PairSpring& spring : loads.springs)
    couplings_.push_back(coupling_of(spring, strength_of(spring, system.mass())));
  for (const Brake& brake : loads.brakes) couplings_.push_back(coupling_of(brake, dt * brake.strength));
}

StepReport ContactImpulses::solve(const System& system, const VelocityFilter& filter,
                                  std::span<const Vec3> from) {
  const int n = system.particle_count();
  change_.assign(from.begin(), from.end());
  filter.impose(change_);
  parallel_for(n, [&](int i) { change_[at(i)] -= from[at(i)]; });
  if (couplings_.empty()) return {};
  const double total_mass = std::accumulate(system.mass().begin(), system.mass().end(), 0.0);
  const SolverReport solved = solver_.solve(system.mass(), rhs_, filter.projection(),
                                            {.tolerance = kTolerance,
                                             .max_iterations = kMostIterations,
                                             .negligible = total_mass * kNegligibleSpeed * kNegligibleSpeed},
                                            change_, couplings_);
  StepReport report{.solver_iterations = solved.iterations,
                    .row_products = solved.row_products,
                    .solver_residual = solved.relative_residual};
  if (!solved.converged) {
    report.outcome = StepOutcome::retry_smaller;
    report.reason = "the impulses of contact could not be found; look for cloth that is crushed";
  }
  return report;
}

StepReport ContactImpulses::follow(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                                   double dt, std::span<const Vec3> mean, std::span<Vec3> end) {
  find_couplings(system, loads, dt);
  rhs_.assign(end.size(), Vec3::Zero());
  for (const PairCoupling& coupling : couplings_)
    coupling.add(coupling.strength * (coupling.length(mean) - coupling.length(end)), rhs_);
  StepReport report = solve(system, filter, end);
  parallel_for(static_cast<int>(end.size()), [&](int i) { end[at(i)] += change_[at(i)]; });
  impulse_.resize(end.size());
  for (size_t c = 0; c < couplings_.size(); ++c) {
    const PairCoupling& coupling = couplings_[c];
    const double impulse = coupling.strength * (coupling.length(mean) - coupling.length(end));
    coupling.add(impulse, impulse_);
    given(loads, c) += impulse;
  }
  return report;
}

StepReport ContactImpulses::apply(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                                  double dt, std::span<Vec3> mean, std::span<Vec3> end,
                                  std::span<Vec3> reaction) {
  smooth_.assign(end.begin(), end.end());
  impulse_.assign(end.size(), Vec3::Zero());
  find_couplings(system, loads, dt);
  const auto wanted_speed = [&](size_t c) {
    if (c >= loads.springs.size()) {
      const Brake& brake = loads.brakes[c - loads.springs.size()];
      return brake.direction.dot(brake.surface_velocity);
    }
    return (loads.springs[c].target - loads.springs[c].gap) / dt;
  };
  rhs_.assign(end.size(), Vec3::Zero());
  for (size_t c = 0; c < couplings_.size(); ++c)
    couplings_[c].add(couplings_[c].strength * (wanted_speed(c) - couplings_[c].length(mean)), rhs_);
  StepReport report = solve(system, filter, mean);
  parallel_for(static_cast<int>(end.size()), [&](int i) {
    mean[at(i)] += change_[at(i)];
    end[at(i)] += change_[at(i)];
  });
  for (size_t c = 0; c < couplings_.size(); ++c) {
    const double impulse = couplings_[c].strength * (wanted_speed(c) - couplings_[c].length(mean));
    couplings_[c].add(impulse, impulse_);
    given(loads, c) = impulse;
  }
  const StepReport followed = follow(system, filter, loads, dt, mean, end);
  if (report.outcome == StepOutcome::accepted) report.outcome = followed.outcome;
  if (report.reason.empty()) report.reason = followed.reason;
  report.add_work(followed);
  std::fill(reaction.begin(), reaction.end(), Vec3::Zero());
  const BlockProjection projection = filter.projection();
  for (const int i : projection.particles())
    reaction[at(i)] = (system.mass()[at(i)] * (end[at(i)] - smooth_[at(i)]) - impulse_[at(i)]) / dt;
  return report;
}

}  // namespace heddle
