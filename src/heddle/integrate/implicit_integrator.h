#pragma once

#include <heddle/core/describe.h>
#include <heddle/integrate/contact_impulses.h>
#include <heddle/integrate/stage_solver.h>
#include <heddle/integrate/step_parameters.h>

#include <string>

namespace heddle {

/// Parameters that the implicit methods have in common.
struct ImplicitParameters {
  double time_step = 0.01;                     // s
  SolverParameters linear{.tolerance = 1e-3};  // also that of the nonlinear equations of a step
  std::string newton = "inexact";
  int newton_iterations = 12;
  std::string line_search = "force";
  double error_tolerance = 0;  // m, in one step; 0: not measured

  StageSettings stage_settings() const;

  template <class T>
  static void describe_common(Describer<T>& d) {
    describe_time_step(d);
    d.template include<SolverParameters>(&T::linear);
    d.parameter(
        "newton", &T::newton,
        {.unit = "",
         .doc = "inexact: Newton's method, each linear solve leaves 0.02 of the residual. exact: each solves "
                "to the tolerance. simplified: all with the matrix of the first. sparse: all with a sparser "
                "stand-in for it. once: one linear solve.",
         .choices = {"inexact", "exact", "simplified", "sparse", "once"}});
    d.parameter("newton_iterations", &T::newton_iterations,
                {.unit = "1",
                 .doc = "Linear solves after which the step is tried again with half its length.",
                 .minimum = 2,
                 .maximum = 1000});
    d.parameter(
        "line_search", &T::line_search,
        {.unit = "",
         .doc =
             "How corrections of Newton's method are shortened. force: halved if the forces then pull back "
             "by more than half of what drove them. energy: halved until they lower the energy of the "
             "step; all forces must have an energy, which wind and drag have not.",
         .choices = {"force", "energy"}});
    describe_error_tolerance(d);
  }
};

/// What implicit methods have in common: a method says its stage and what it remembers.
class ImplicitIntegrator : public Integrator {
 public:
  explicit ImplicitIntegrator(const StageSettings& settings) : solver_(settings) {}

  StepReport step(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                  State& state, std::span<Vec3> reaction) override;
  StepReport improve(const System& system, const VelocityFilter& filter, const StepLoads& loads, double dt,
                     const Refinement& refinement, State& state) override;
  bool needs_energy() const override { return solver_.needs_energy(); }
  Splitting splitting() const override { return solver_.splitting(); }
  std::span<const int> components() const override { return solver_.components(); }

 protected:
  /// g, d and the share of the step as in StageEquation.
  struct Plan {
    double force = 1, position = 1, share = 1;
    bool predicts = false;  // x_, v_ and guess_ are set; otherwise they are those of the state
  };
  /// Sets x_, v_ (x* and v*) and guess_, the velocity where the stage starts, if it predicts.
  virtual Plan plan(const System& system, double dt, const State& state) = 0;
  /// Writes what the method remembers after a step of length dt: `kick` is the change of velocities that
  /// contact made in it (m/s), `begin` the state before, `state` that at the end.
  virtual void remember(double /*dt*/, const Plan&, std::span<const Vec3> /*kick*/, const State& /*begin*/,
                        State& /*state*/) {}

  std::vector<Vec3> x_, v_, guess_;

 private:
  /// Lets particles end where constraints want them: changes x_ along what is prescribed.
  void follow_constraints(const VelocityFilter& filter, double dt, const Plan& plan, const State& state);
  /// State at the end, and kick_.
  void finish(const System& system, const StepLoads& loads, const StageEquation& stage,
              std::span<const Vec3> reaction, State& state);
  double outer_work(const StepLoads& loads, const StageEquation& stage, std::span<const Vec3> reaction);

  StageSolver solver_;
  ContactImpulses contact_;
  State begin_;
  std::vector<Vec3> drift_, kick_, mean_, guess_x_;
  std::vector<double> partial_;
};

}  // namespace heddle
