#pragma once

#include <heddle/forces/spring/particle_model.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// Something to integrate, of which one knows what should come out.
struct StudyProblem {
  std::function<ParticleModel()> model;  // a new one at each call
  double duration = 1;                   // s
  double energy_scale = 1;               // J, what motion there is amounts to
  bool measures_speed = false;           // errors are those of velocities (m/s), not of positions (m)
  /// The error of a state at its time, by the exact solution.
  std::function<double(const State&)> error;
};

/// A problem by name.
struct ProblemEntry {
  std::string_view name;
  std::string_view summary;  // with its source
  StudyProblem (*make)();
};

std::span<const ProblemEntry> problem_registry();
/// Null if there is none of this name.
const ProblemEntry* find_problem(std::string_view name);

}  // namespace heddle
