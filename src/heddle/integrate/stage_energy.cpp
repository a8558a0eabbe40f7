#include <heddle/integrate/stage_solver.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// Least decrease, as a share of that which the slope promises (Armijo's rule; Nocedal and Wright 2006,
/// (3.4)).
constexpr double kDecrease = 1e-4;
constexpr int kMostHalvings = 10;
/// Differences of energies below this share of them are noise.
constexpr double kRounding = 1e-13;

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

double StageSolver::correction_inertia(const System& system) {
  double sum = ordered_sum(system.particle_count(), 0.0, partial_, [&](int first, int last) {
    double part = 0;
    for (int i = first; i < last; ++i) part += system.mass()[at(i)] * correction_[at(i)].squaredNorm();
    return part;
  });
  for (const PairCoupling& coupling : couplings_)
    sum += coupling.strength * std::pow(coupling.length(correction_), 2);
  return sum;
}

double StageSolver::correction_power(const System& system, const Configuration& q) {
  still_.assign(q.x.size(), Vec3::Zero());
  std::fill(force_.begin(), force_.end(), Vec3::Zero());
  for (const auto& term : system.terms())
    if (term->is_conservative()) term->add_force(q.moved(q.x, still_), force_);
  return ordered_sum(system.particle_count(), 0.0, partial_, [&](int first, int last) {
    double part = 0;
    for (int i = first; i < last; ++i) part += force_[at(i)].dot(correction_[at(i)]);
    return part;
  });
}

double StageSolver::downhill_share(const System& system, const StageEquation& stage, const Configuration& q) {
  // Along v + t p the stage has the energy 1/2 |v - v*|^2_M + g/d U(x* + d h v) + that of couplings. What it
  // is above its tangent at t = 0, whose slope all forces give, is exact; dampers are taken as they are
  // there.
  const double promised = slope(), inertia = correction_inertia(system);
  const double weight = stage.force_time / stage.position_time;
  const double before = system.potential_energy(q);
  const double linear = stage.position_time * correction_power(system, q);
  trial_.resize(q.x.size());
  double share = 1;
  for (int k = 0; k < kMostHalvings; ++k, share *= 0.5) {
    const double way = share * stage.position_time;
    parallel_for(system.particle_count(),
                 [&](int i) { trial_[at(i)] = q.x[at(i)] + way * correction_[at(i)]; });
    const double after = system.potential_energy(q.moved(trial_, still_));
    const double excess = 0.5 * share * share * inertia + weight * (after - before + share * linear);
    const double noise = kRounding * weight * (std::abs(after) + std::abs(before));
    if (excess <= (1 - kDecrease) * share * promised + noise) break;
  }
  return share;
}

}  // namespace heddle
