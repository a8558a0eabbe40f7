#include <heddle/integrate/implicit_midpoint.h>

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {

/// A step makes energy if it gains more than this share of the kinetic energy; what is slower than this
/// (m/s) does not matter.
constexpr double kLargestGain = 0.05, kSlow = 0.02;
/// By how much a grows.
constexpr double kMore = 0.25;

}  // namespace

void ImplicitMidpoint::describe(Describer<ImplicitMidpoint>& d) {
  d.type("implicit_midpoint", "integrator",
         "The implicit midpoint rule: of second order, does not brake motion; where a step makes energy it "
         "is damped.");
  describe_common(d);
  d.parameter("share", &ImplicitMidpoint::share,
              {.unit = "1",
               .doc = "Where in the step forces are taken: 0.5 does not damp, 1 is backward Euler.",
               .minimum = 0.5,
               .maximum = 1});
  d.parameter("adaptive", &ImplicitMidpoint::adaptive,
              {.unit = "", .doc = "Raise the share in steps that make energy."});
}

std::unique_ptr<Integrator> ImplicitMidpoint::build() const {
  return std::make_unique<ImplicitMidpointIntegrator>(stage_settings(), share, adaptive);
}

StepReport ImplicitMidpointIntegrator::step(const System& system, const VelocityFilter& filter,
                                            const StepLoads& loads, double dt, State& state,
                                            std::span<Vec3> reaction) {
  share_ = least_share_;
  if (!adaptive_) return ImplicitIntegrator::step(system, filter, loads, dt, state, reaction);
  const State begin = state;
  const auto inner_energy = [&](const State& at) { return system.inner_energy(configuration_of(at)); };
  const double before = inner_energy(begin) + system.kinetic_energy(configuration_of(begin));
  const double mass = std::accumulate(system.mass().begin(), system.mass().end(), 0.0);
  StepReport before_this;
  while (true) {
    StepReport report = ImplicitIntegrator::step(system, filter, loads, dt, state, reaction);
    report.add_work(before_this);
    before_this = report;
    const double kinetic = system.kinetic_energy(configuration_of(state));
    const double gain = kinetic + inner_energy(state) - before - report.outer_work;
    const bool is_sound = report.outcome == StepOutcome::accepted &&
                          gain <= kLargestGain * kinetic + 0.5 * mass * kSlow * kSlow;
    if (is_sound || share_ >= 1) return report;
    share_ = std::min(1.0, share_ + kMore);
    state = begin;
  }
}

}  // namespace heddle
