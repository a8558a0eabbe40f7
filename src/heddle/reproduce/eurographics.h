#pragma once

#include <heddle/reproduce/experiment.h>
#include <heddle/study/convergence.h>
#include <heddle/study/oscillator.h>

namespace heddle {

// Hauth, Etzmuss, Eberhardt, Klein, Sarlette, Sattler, Daubert and Kautz, Cloth Animation and Rendering,
// Eurographics 2002, tutorial T3, section 2. The figures are drawn without numbers; what stands beside ours
// is printed in the text or follows from its formulas.
std::span<const Experiment> eurographics_experiments();

Result<Findings> eurographics_test_equation(const Effort& effort);
Result<Findings> eurographics_overdamped(const Effort& effort);
Result<Findings> eurographics_spring(const Effort& effort);
Result<Findings> eurographics_explicit(const Effort& effort);
Result<Findings> eurographics_regions(const Effort& effort);
Result<Findings> eurographics_implicit(const Effort& effort);
Result<Findings> eurographics_wave(const Effort& effort);
Result<Findings> eurographics_tables(const Effort& effort);
Result<Findings> eurographics_inexact(const Effort& effort);
Result<Findings> eurographics_sparse(const Effort& effort);
Result<Findings> eurographics_iterations(const Effort& effort);
Result<Findings> eurographics_single(const Effort& effort);

/// A registered integrator; the text is known to be right.
Method known_method(const std::string& text);
/// Methods of the tutorial as scenes name them.
inline constexpr const char* kUndampedMidpoint = R"({"type": "implicit_midpoint", "adaptive": false})";
inline constexpr const char* kLeapfrog = R"({"type": "verlet", "form": "leapfrog"})";
std::string bdf_of_order(int order);

/// The longest stable step, s, to a thousandth; the longest one if it is stable, 0 if none is.
double stable_limit(const StudyProblem& problem, const Method& method, double longest);

/// Slope between the two shortest steps whose errors are well above the rounding of the exact solution, which
/// is up to 2e-10 of it: the order is a limit. (Example 1 ends at 3e-7; a bound that is not relative would
/// cut it short.)
double measured_order(const StudyProblem& problem, const Method& method, double longest, int halvings,
                      double rounding = 1e-8);
/// How far a measured order may be from that of the method.
inline constexpr double kOrderTolerance = 0.1;

/// y'' = -5 y from y = 1 for a little more than three periods, with errors of position and velocity: at the
/// end of a period errors of the phase do not move the position.
StudyProblem wave_problem();

/// Keeps the worst of what is measured.
struct Worst {
  double value = 0;
  std::string where;

  void see(double candidate, const std::string& name) {
    if (candidate < value && !where.empty()) return;
    value = candidate;
    where = name;
  }
};

}  // namespace heddle
