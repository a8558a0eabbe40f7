#include <heddle/integrate/step_doubling.h>

#include <heddle/core/text.h>

#include <algorithm>
#include <cmath>

namespace heddle {

void judge_error(double error, double tolerance, int order, StepReport& report) {
  // The error of a step of twice the length is 2^(order + 1) times as large.
  report.may_grow = report.may_grow && error * std::pow(2, order + 1) < tolerance;
  if (error <= tolerance || report.outcome != StepOutcome::accepted) return;
  report.outcome = StepOutcome::retry_smaller;
  report.reason = "the error of a step is " + short_number_text(error) +
                  " m; raise integrator.error_tolerance or shorten integrator.time_step";
}

StepDoubling::StepDoubling(const std::function<std::unique_ptr<Integrator>()>& make, int order,
                           double tolerance)
    : whole_(make()), half_(make()), order_(order), tolerance_(tolerance) {}

void StepDoubling::step_halves(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                               double dt, StepReport& report) {
  const std::vector<Vec3> begin = fine_.x;
  reaction_.resize(begin.size());
  springs_.assign(loads.springs.begin(), loads.springs.end());
  brakes_.assign(loads.brakes.begin(), loads.brakes.end());
  for (PairSpring& spring : springs_) spring.target = 0.5 * (spring.gap + spring.target);
  for (int k = 0; k < 2 && report.outcome == StepOutcome::accepted; ++k) {
    const StepReport half = half_->step(system, filter, {loads.force, springs_, brakes_, loads.glides},
                                        0.5 * dt, fine_, reaction_);
    report.add_work(half);
    report.outcome = half.outcome;
    report.reason = half.reason;
    for (size_t c = 0; c < springs_.size(); ++c) {
      for (size_t i = 0; i < 4; ++i) {
        const auto particle = static_cast<size_t>(springs_[c].particles[i]);
        springs_[c].gap +=
            springs_[c].weights[i] * springs_[c].normal.dot(fine_.x[particle] - begin[particle]);
      }
      springs_[c].target = loads.springs[c].target;
    }
  }
}

StepReport StepDoubling::step(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                              double dt, State& state, std::span<Vec3> reaction) {
  fine_ = state;
  StepReport report = whole_->step(system, filter, loads, dt, state, reaction);
  step_halves(system, filter, loads, dt, report);
  double difference = 0;
  for (size_t i = 0; i < state.x.size(); ++i)
    difference = std::max(difference, (state.x[i] - fine_.x[i]).norm());
  // The halves have 2^-order of the error of the whole.
  judge_error(difference / (1 - std::pow(2, -order_)), tolerance_, order_, report);
  return report;
}

StepReport StepDoubling::improve(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                                 double dt, const Refinement& refinement, State& state) {
  return whole_->improve(system, filter, loads, dt, refinement, state);
}

}  // namespace heddle
