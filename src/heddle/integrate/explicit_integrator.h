#pragma once

#include <heddle/core/describe.h>
#include <heddle/integrate/contact_impulses.h>
#include <heddle/integrate/stage_solver.h>
#include <heddle/integrate/step_parameters.h>

#include <string>

namespace heddle {

/// Parameters that all explicit methods have.
struct ExplicitParameters {
  double time_step = 1e-4;     // s
  double error_tolerance = 0;  // m, in one step; 0: not measured

  template <class T>
  static void describe_common(Describer<T>& d) {
    d.parameter("time_step", &T::time_step,
                {.unit = "s",
                 .doc = "Length of a step; `heddle check` says how long it may be. Rounded so that frames "
                        "hold a whole number of steps.",
                 .minimum = 1e-8,
                 .maximum = 0.1});
    describe_error_tolerance(d);
  }
};

/// What explicit methods have in common: a method says where smooth forces would lead, contact and what
/// prescribes velocities act on that with the masses alone.
class ExplicitIntegrator : public Integrator {
 public:
  std::string advice() const override {
    return "the integrator is explicit: `heddle check` says how long integrator.time_step may be";
  }
  StepReport step(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                  State& state, std::span<Vec3> reaction) final;
  StepReport improve(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                     const Refinement& refinement, State& state) final;
  Splitting splitting() const override { return {.all_explicit = true, .explicit_terms = {}, .stable = {}}; }

 protected:
  /// Sets mean_ and end_, the mean velocity of a step and that at its end as smooth forces make them.
  virtual void predict(const System& system, const VelocityFilter& filter, std::span<const Vec3> load,
                       double dt, const State& state) = 0;
  /// Refuses the step if the method knows that it is not good enough.
  virtual void judge(StepReport&) const {}
  /// Writes what the method remembers; `state` is that at the end already.
  virtual void remember(double, State&) {}

  /// Acceleration by all terms and the load, m/s2; external_ receives the part of the force from outside.
  void accelerate(const System& system, std::span<const Vec3> load, const Configuration& q,
                  std::span<Vec3> acceleration);

  std::vector<Vec3> mean_, end_;
  std::vector<Vec3> external_;        // N
  Encounters* encounters_ = nullptr;  // of the present step

 private:
  ContactImpulses contact_;
  StageSolver solver_{StageSettings{}};
  std::vector<double> partial_;
};

}  // namespace heddle
