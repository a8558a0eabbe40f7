#pragma once

#include <heddle/dynamics/integrator.h>

#include <functional>
#include <memory>

namespace heddle {

/// Steps with an integrator and measures the error of each step by two half ones: a step whose error is above
/// a tolerance is refused, and steps grow again only if their error allows it.
class StepDoubling final : public Integrator {
 public:
  /// `tolerance` is the largest error of a position in one step, m.
  StepDoubling(const std::function<std::unique_ptr<Integrator>()>& make, int order, double tolerance);

  std::string_view name() const override { return whole_->name(); }
  std::string advice() const override { return whole_->advice(); }
  StepReport step(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                  State& state, std::span<Vec3> reaction) override;
  StepReport improve(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                     const Refinement& refinement, State& state) override;
  bool needs_energy() const override { return whole_->needs_energy(); }
  Splitting splitting() const override { return whole_->splitting(); }
  std::span<const int> components() const override { return whole_->components(); }

 private:
  /// The state after two half steps.
  void step_halves(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                   StepReport& report);

  std::unique_ptr<Integrator> whole_, half_;
  int order_;
  double tolerance_;
  State fine_;
  std::vector<PairSpring> springs_;
  std::vector<Brake> brakes_;
  std::vector<Vec3> reaction_;
};

/// The refusal of a step whose error (m) is above the tolerance, and whether the next one may grow.
void judge_error(double error, double tolerance, int order, StepReport& report);

}  // namespace heddle
