#pragma once

#include <heddle/study/course.h>

#include <cmath>
#include <optional>

namespace heddle {

/// How the longest stable step is looked for (Boxerman 2003, 4.1.3).
struct CriticalSearch {
  double shortest = 1e-7, longest = 1;  // s
  int steps = 1000;                     // taken at each length
  int start = 20;                       // of them: what motion there is in these, methods may overshoot into
  double margin = 10;                   // growth of the energy, in units of that motion, that is unstable
  double precision = 0.005;             // relative
};

/// Is the energy bounded while that many steps are taken? Some methods that never grow give long steps too
/// much velocity once, at their start (generalised alpha); so energies are compared with the largest of
/// those.
bool is_stable(const StudyProblem& problem, const Method& method, double dt, const CriticalSearch& search);

/// The longest stable step by bisection of its logarithm, s; the longest asked for if that is stable, nothing
/// if not even the shortest is.
std::optional<double> critical_step(const StudyProblem& problem, const Method& method,
                                    const CriticalSearch& search);

/// The same search for anything that tells whether a step (s) is stable.
template <class IsStable>
std::optional<double> bisect_step(const CriticalSearch& search, const IsStable& is_stable) {
  if (!is_stable(search.shortest)) return std::nullopt;
  if (is_stable(search.longest)) return search.longest;
  double low = search.shortest, high = search.longest;
  while (high > low * (1 + search.precision)) {
    const double middle = std::sqrt(low * high);
    (is_stable(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace heddle
