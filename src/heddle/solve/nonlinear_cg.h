#pragma once

#include <functional>
#include <span>

namespace heddle {

/// A function of many numbers that is to be made small: returns its value at x and writes its gradient.
using SmoothFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct NonlinearCg {
  int iterations = 10;
  double tolerance = 0;     // ends where the scaled gradient has fallen to this share of the first
  int halvings = 20;        // of a step, until it satisfies the conditions of Wolfe
  int refinements = 6;      // of the step that satisfies them
  double sufficient = 0.3;  // c1
  double curvature = 0.99;  // c2
};

struct NonlinearCgReport {
  int iterations = 0;
  int evaluations = 0;
  double first = 0, last = 0;  // values
  double gradient = 0;         // of the scaled gradient at the end, relative to the start
};

/// Conjugate gradients of Fletcher and Reeves with a backtracking line search and a search for a longer step
/// behind it (Spillmann 2008, App. D, corrected: the line search goes along the conjugate direction, the
/// curvature condition is taken along it, too, and a step that backtracking cannot make steep enough is taken
/// as it is). `scale` > 0, one for each unknown: the first steps are scale times the gradient, which is a
/// diagonal preconditioner. Where a direction does not descend it starts anew.
NonlinearCgReport minimise(const NonlinearCg& method, const SmoothFunction& f, std::span<const double> scale,
                           std::span<double> x);

}  // namespace heddle
