#pragma once

#include <heddle/dynamics/integrator.h>
#include <heddle/scene/scene_description.h>
#include <heddle/sim/model.h>
#include <heddle/solve/choose_solver.h>

#include <memory>
#include <span>
#include <string>

namespace heddle {

/// "auto" in scenes: the integrator that the measurements of docs/models/time_stepping.md favour for what the
/// scene holds. By itself, without a scene, that for cloth which nothing touches.
struct AutoIntegrator {
  double time_step = 0.005;  // s
  SolverParameters linear{.solver = kAuto, .preconditioner = kAuto};

  static void describe(Describer<AutoIntegrator>& d);
  IntegratorTraits traits() const { return {.order = 2, .damped_order = 2, .is_a_stable = true}; }
  std::unique_ptr<Integrator> build() const;
};

/// The integrator of a scene, and in words which one that is and why.
struct IntegratorChoice {
  Entity entity;
  std::string text;
};

/// What the scene names, what "auto" picks, or the usual one if the scene names none.
IntegratorChoice choose_integrator(const SceneDescription& scene, std::span<const ClothPart> cloths);

/// The same with a linear solver for the system at the start, steps of `dt` (s), where that is "auto": a
/// direct one if there are only rods.
IntegratorChoice with_linear_solver(IntegratorChoice choice, const System& system, const State& start,
                                    double dt, bool is_only_rods);

}  // namespace heddle
