#include <heddle/study/convergence.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {

std::optional<double> Convergence::order() const {
  constexpr double kRounding = 1e-12;
  std::vector<Vec2> logs;
  for (const ErrorAtStep& e : errors)
    if (std::isfinite(e.error) && e.error > kRounding) logs.emplace_back(std::log(e.step), std::log(e.error));
  std::sort(logs.begin(), logs.end(), [](const Vec2& a, const Vec2& b) { return a[0] < b[0]; });
  logs.resize(std::max<size_t>(logs.size() / 2, std::min<size_t>(logs.size(), 2)));
  if (logs.size() < 2) return std::nullopt;
  Vec2 mean = Vec2::Zero();
  for (const Vec2& p : logs) mean += p / static_cast<double>(logs.size());
  double above = 0, below = 0;
  for (const Vec2& p : logs) {
    above += (p[0] - mean[0]) * (p[1] - mean[1]);
    below += (p[0] - mean[0]) * (p[0] - mean[0]);
  }
  return above / below;
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
