#include <heddle/study/problem.h>

#include <heddle/study/oscillator.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

StudyProblem of_oscillator(const Oscillator& oscillator, double duration, bool measures_speed = false) {
  StudyProblem problem;
  problem.model = [oscillator] { return oscillator.model(); };
  problem.duration = duration;
  problem.energy_scale = std::max(std::abs(oscillator.energy()), 1e-300);
  problem.measures_speed = measures_speed;
  problem.error = [oscillator, measures_speed](const State& state) {
    const Vec2 exact = oscillator.at(state.time);
    return measures_speed ? (state.v[0] - Vec3(exact[1], 0, 0)).norm()
                          : (state.x[0] - Vec3(exact[0], 0, 0)).norm();
  };
  return problem;
}

/// y' = lambda y as the velocity of a particle without a spring.
StudyProblem test_equation(double lambda) {
  return of_oscillator({.damping = -lambda, .position = 0, .velocity = 1}, 1, true);
}

StudyProblem decay() {
  return test_equation(-15);
}

StudyProblem growth() {
  return test_equation(2);
}

/// Eurographics 2002, example 2, with lambda = -5: y'' = -2.5 y - 5 y'.
StudyProblem overdamped() {
  return of_oscillator({.stiffness = 2.5, .damping = 5, .position = 0, .velocity = 1}, 10);
}

/// Eurographics 2002, example 3: z'' = k (l0 - z)/m - d/m z' + g, from z = l0.
StudyProblem damped_spring() {
  constexpr double m = 0.1, k = 100, l0 = -1, d = 1, g = -10;
  return of_oscillator(
      {.mass = m, .stiffness = k, .damping = d, .rest = l0 + m * g / k, .position = l0, .velocity = -5}, 2);
}

/// y'' = -5 y (Eurographics 2002, Fig. 12), for a little more than three periods: at their very end errors of
/// the phase would only be seen squared.
StudyProblem wave() {
  return of_oscillator({.stiffness = 5, .position = 1}, 9);
}

/// The lowest oscillation of a bar; the chain has it exactly as u_j = sin(theta j), theta = pi / (2 (n - 1)).
StudyProblem truss() {
  const Truss bar{.particles = 21, .viscosity = 2e-3};
  const int last = bar.particles - 1;
  const double h = bar.length / last, theta = 0.5 * std::numbers::pi / last, amplitude = 1e-3;
  const double mode = 4 * std::pow(std::sin(0.5 * theta), 2) / (bar.density * h * h);
  const Oscillator swing{
      .stiffness = bar.stiffness * mode, .damping = bar.viscosity * mode, .position = amplitude};
  StudyProblem problem;
  problem.model = [=] {
    ParticleModel model = make_truss(bar);
    std::vector<Vec3>& x = model.state.x;
    for (size_t j = 0; j < x.size(); ++j) x[j][0] += amplitude * std::sin(theta * static_cast<double>(j));
    return model;
  };
  problem.duration = 0.25;
  const ParticleModel model = problem.model();
  problem.energy_scale = model.system->potential_energy(configuration_of(model.state));
  problem.error = [=](const State& state) {
    const double now = swing.at(state.time)[0];
    double largest = 0;
    for (size_t j = 0; j < state.x.size(); ++j) {
      const double number = static_cast<double>(j);
      const Vec3 exact(number * h + now * std::sin(theta * number), 0, 0);
      largest = std::max(largest, (state.x[j] - exact).norm());
    }
    return largest;
  };
  return problem;
}

}  // namespace

std::span<const ProblemEntry> problem_registry() {
  static constexpr std::array kEntries{
      ProblemEntry{"decay", "y' = -15 y, a velocity that dies away (Eurographics 2002, example 1)", decay},
      ProblemEntry{"growth", "y' = 2 y, a velocity that grows (Eurographics 2002, example 1)", growth},
      ProblemEntry{"overdamped", "y'' = -2.5 y - 5 y' (Eurographics 2002, example 2)", overdamped},
      ProblemEntry{"damped_spring", "a mass on a damped spring, 31 rad/s (Eurographics 2002, example 3)",
                   damped_spring},
      ProblemEntry{"wave", "y'' = -5 y for 9 s, a little more than three periods (Eurographics 2002, Fig. 12)", wave},
      ProblemEntry{"truss", "the lowest oscillation of a viscous bar of 20 springs (Boxerman 2003, 3.1.3)",
                   truss},
  };
  return kEntries;
}

const ProblemEntry* find_problem(std::string_view name) {
  const auto entries = problem_registry();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const ProblemEntry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace heddle
