#include <heddle/study/convergence.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {

/// The median of what single halvings of the step tell, of the shorter half of them: neither steps that are
/// unstable nor those whose error rounding and solvers make count much.
std::optional<double> Convergence::order() const {
  constexpr double kRounding = 1e-12;
  constexpr double kHighest = 10;  // longer steps are unstable
  std::vector<ErrorAtStep> sound;
  for (const ErrorAtStep& e : errors)
    if (std::isfinite(e.error) && e.error > kRounding) sound.push_back(e);
  std::sort(sound.begin(), sound.end(),
            [](const ErrorAtStep& a, const ErrorAtStep& b) { return a.step < b.step; });
  const auto least =
      std::min_element(sound.begin(), sound.end(),
                       [](const ErrorAtStep& a, const ErrorAtStep& b) { return a.error < b.error; });
  std::vector<double> slopes;
  for (auto e = least; e != sound.end() && e + 1 != sound.end(); ++e) {
    const double slope = std::log(e[1].error / e->error) / std::log(e[1].step / e->step);
    if (slope > kHighest) break;
    slopes.push_back(slope);
  }
  if (slopes.empty()) return std::nullopt;
  slopes.resize((slopes.size() + 1) / 2);
  std::nth_element(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2),
                   slopes.end());
  return slopes[slopes.size() / 2];
}

std::vector<double> halved_steps(double longest, int count) {
  std::vector<double> steps;
  for (int k = 0; k < count; ++k) steps.push_back(std::ldexp(longest, -k));
  return steps;
}

Convergence convergence(const StudyProblem& problem, const Method& method, const std::vector<double>& steps) {
  Convergence result{.method = method.name, .errors = {}};
  for (const double step : steps) {
    const Course course = advance_to_end(problem, method, step);
    ErrorAtStep at{.step = problem.duration / steps_to_end(problem.duration, step),
                   .error = std::numeric_limits<double>::quiet_NaN(),
                   .work = course.work};
    if (course.is_sound) at.error = problem.error(course.end);
    result.errors.push_back(at);
  }
  return result;
}

}  // namespace heddle
