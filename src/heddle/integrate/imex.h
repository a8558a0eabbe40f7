#pragma once

#include <heddle/integrate/semi_implicit_euler.h>
#include <heddle/integrate/step_parameters.h>

#include <string>
#include <vector>

namespace heddle {

/// Parameters of methods that treat some forces implicitly and others explicitly.
struct ImexParameters {
  double time_step = 0.01;  // s
  SolverParameters linear;

  StageSettings stage_settings() const;

  template <class T>
  static void describe_common(Describer<T>& d) {
    describe_time_step(d);
    d.template include<SolverParameters>(&T::linear);
  }
};

/// Semi-implicit Euler with terms that the scene makes explicit (Boxerman 2003, (4.13)).
struct Imex : ImexParameters {
  std::vector<std::string> explicit_terms;

  static void describe(Describer<Imex>& d);
  IntegratorTraits traits() const { return {.order = 1, .damped_order = 1}; }
  std::unique_ptr<Integrator> build() const;
};

/// The same, where each element is explicit if the step allows it (Boxerman 2003, 4.4).
struct AdaptiveImex : ImexParameters {
  double threshold = 0.4;

  static void describe(Describer<AdaptiveImex>& d);
  IntegratorTraits traits() const { return {.order = 1, .damped_order = 1, .is_a_stable = true}; }
  std::unique_ptr<Integrator> build() const;
};

/// Two-step backward differentiation with one linear solve, where each element is explicit if the step allows
/// it. What is explicit sees the predicted end of the step, x* + d h v with v = 2 v_0 - v_-1, instead of
/// 2 f_0 - f_-1 (Boxerman 2003, (4.14)), which grows without damping at any step.
struct Sbdf2 : ImexParameters {
  std::vector<std::string> explicit_terms;
  double threshold = 0.4;

  static void describe(Describer<Sbdf2>& d);
  IntegratorTraits traits() const;
  std::unique_ptr<Integrator> build() const;
};

}  // namespace heddle
