#include <heddle/study/critical_step.h>

#include <algorithm>

namespace heddle {

bool is_stable(const StudyProblem& problem, const Method& method, double dt, const CriticalSearch& search) {
  ParticleModel model = problem.model();
  const System& system = *model.system;
  const auto energy = [&](const State& state) {
    const Configuration q = configuration_of(state);
    return system.kinetic_energy(q) + system.potential_energy(q);
  };
  const double begin = energy(model.state);
  double motion = problem.energy_scale;  // J
  bool is_bounded = true;
  int steps = 0;
  const Course course = advance(std::move(model), method, dt, search.steps, [&](const State& state) {
    const double gain = energy(state) - begin;
    if (++steps <= search.start) motion = std::max(motion, gain);
    return is_bounded = gain <= search.margin * motion;
  });
  return course.is_sound && is_bounded;
}

std::optional<double> critical_step(const StudyProblem& problem, const Method& method,
                                    const CriticalSearch& search) {
  return bisect_step(search, [&](double dt) { return is_stable(problem, method, dt, search); });
}

}  // namespace heddle
