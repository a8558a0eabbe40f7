#pragma once

#include <heddle/integrate/event_loop.h>
#include <heddle/integrate/explicit_integrator.h>

namespace heddle {

/// Asynchronous variational integration.
struct Asynchronous {
  double time_step = 0.01;       // s, after which all particles are at the same time
  double safety = 0.75;          // 1, of the longest stable steps of elements
  std::string steps = "halved";  // or "any"
  double longest_step = 0;       // s, of an element; 0: time_step
  double shortest_step = 1e-7;   // s, of an element
  double strain_change = 0;      // see EventRules
  double predicted_strain = 0;
  double current_strain = 0;

  static void describe(Describer<Asynchronous>& d);
  IntegratorTraits traits() const { return {.order = 2, .damped_order = 1, .is_symplectic = true}; }
  std::unique_ptr<Integrator> build() const;
};

/// Every element of every force steps at its own pace, with the longest step at which it is stable; see
/// ElementSteps and EventLoop. Contact between the ends of the step and at them is that of explicit methods.
class AsynchronousIntegrator final : public ExplicitIntegrator {
 public:
  explicit AsynchronousIntegrator(const Asynchronous& parameters);
  std::string_view name() const override { return "asynchronous"; }
  std::string advice() const override;
  std::vector<TermActivity> activity() const override;
  const EventLoop& events() const { return loop_; }

 protected:
  void predict(const System& system, const VelocityFilter& filter, std::span<const Vec3> load, double dt,
               const State& state) override;
  void judge(StepReport& report) const override;
  void remember(double dt, State& state) override;

 private:
  /// Forces from outside: all at the beginning, and what is the same everywhere in time.
  void find_fields(const System& system, std::span<const Vec3> load, const State& state);
  std::string collapse_text(const EventLoop::Collapse& collapse, const State& state) const;

  double safety_, shortest_;
  ElementList elements_;
  ElementSteps steps_;
  EventLoop loop_;
  std::vector<Vec3> field_;  // N, then m/s2
  StepReport refusal_;       // of a step that cannot be made
};

}  // namespace heddle
