#include <heddle/study/critical_step.h>

#include <cmath>

namespace heddle {

bool is_stable(const StudyProblem& problem, const Method& method, double dt, const CriticalSearch& search) {
  ParticleModel model = problem.model();
  const System& system = *model.system;
  const auto energy = [&](const State& state) {
    const Configuration q = configuration_of(state);
    return system.kinetic_energy(q) + system.potential_energy(q);
  };
  const double limit = energy(model.state) + search.margin * problem.energy_scale;
  bool is_bounded = true;
  const Course course = advance(std::move(model), method, dt, search.steps,
                                [&](const State& state) { return is_bounded = energy(state) <= limit; });
  return course.is_sound && is_bounded;
}

std::optional<double> critical_step(const StudyProblem& problem, const Method& method,
                                    const CriticalSearch& search) {
  if (!is_stable(problem, method, search.shortest, search)) return std::nullopt;
  if (is_stable(problem, method, search.longest, search)) return search.longest;
  double low = search.shortest, high = search.longest;
  while (high > low * (1 + search.precision)) {
    const double middle = std::sqrt(low * high);
    (is_stable(problem, method, middle, search) ? low : high) = middle;
  }
  return low;
}

}  // namespace heddle
