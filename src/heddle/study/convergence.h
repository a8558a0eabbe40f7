#pragma once

#include <heddle/study/course.h>

#include <vector>

namespace heddle {

/// The error that a method makes with steps of one length, and what it cost.
struct ErrorAtStep {
  double step = 0;   // s
  double error = 0;  // m or m/s; not a number if the method failed
  Work work;
};

struct Convergence {
  std::string method;
  std::vector<ErrorAtStep> errors;

  /// Slope of the error in the logarithm of the step, over the shorter half of the steps whose errors are
  /// well above rounding; nothing if there are less than two.
  std::optional<double> order() const;
};

/// Steps from `longest` (s) on, each half of the one before.
std::vector<double> halved_steps(double longest, int count);

/// Errors at the end of the problem. Work and precision are two views of the same.
Convergence convergence(const StudyProblem& problem, const Method& method, const std::vector<double>& steps);

}  // namespace heddle
