#include <heddle/reproduce/eurographics.h>

#include <heddle/study/critical_step.h>

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace heddle {

std::span<const Experiment> eurographics_experiments() {
  static constexpr std::array kAll{
      Experiment{"eurographics-e1", "y' = lambda y", "Eurographics 2002, 2.1, example 1, figure 6",
                 "The test equation with lambda = 2 and -15, over 1 s.", eurographics_test_equation},
      Experiment{"eurographics-e2", "An overdamped oscillator", "Eurographics 2002, 2.1, example 2",
                 "y'' = lambda/2 y + lambda y' over 10 s. Printed with lambda = 5; the printed solution is "
                 "that of -5.",
                 eurographics_overdamped},
      Experiment{"eurographics-e3", "A mass on a damped spring",
                 "Eurographics 2002, 2.1, example 3, figure 7",
                 "m = 0.1, k = 100, l0 = -1, d = 1, g = -10, v0 = -5, over 2 s. Where it starts is not "
                 "printed; here at l0.",
                 eurographics_spring},
      Experiment{
          "eurographics-e4", "Explicit methods: work and precision", "Eurographics 2002, 2.1.1, figure 8",
          "Explicit Euler, explicit midpoint and RK4 on examples 1 to 3. The limits of their steps are "
          "not printed; they follow from the stability functions.",
          eurographics_explicit},
      Experiment{"eurographics-e5", "Regions of stability", "Eurographics 2002, 2.1.3 and 2.1.4, figure 9",
                 "Amplification of a step over the left half-plane of h lambda. BDF methods by the roots of "
                 "their polynomial, compared with steps that were taken.",
                 eurographics_regions},
      Experiment{
          "eurographics-e6", "Implicit methods: work and precision", "Eurographics 2002, 2.1.4, figure 10",
          "Implicit Euler, implicit midpoint, BDF2 and Verlet (with the damping of the last half step) "
          "on examples 1 to 3.",
          eurographics_implicit},
      Experiment{"eurographics-e7", "An undamped wave", "Eurographics 2002, 2.1.5, figure 12",
                 "y'' = -5 y from y = 1 over 9 s; printed as y'' = 5 y without initial values.",
                 eurographics_wave},
      Experiment{"eurographics-e8", "Tables of coefficients", "Eurographics 2002, 2.1, tables 2 to 4",
                 "Coefficients as tables and formulas print them, and the orders that come of them.",
                 eurographics_tables},
      Experiment{
          "eurographics-e9", "Inexact Newton", "Eurographics 2002, 2.2.1 and 2.2.2",
          "A sheet of springs held at two corners swings with implicit Euler; each linear solve leaves "
          "a part eta of the residual. Sizes are not printed; here 20 x 20 particles, 10 N/m. Dampers "
          "act on slack springs too: where they begin with the tension the force jumps, and a step may "
          "have no solution.",
          eurographics_inexact},
      Experiment{"eurographics-e10", "A sparse Jacobian for simplified Newton", "Eurographics 2002, 2.2.3",
                 "The same sheet with the sparse stand-in of heddle, which keeps all pairs as numbers, "
                 "against the full Jacobian. There the stand-in holds the neighbours along threads "
                 "only and stays; ours is made in each step from the matrix at the guess, so that resumed "
                 "runs have the same bits. Springs of 10 N/m: at 1000 N/m, which is more like cloth, "
                 "corrections with the stand-in do not end in steps of 0.01 s. Steps of 0.5 ms were added "
                 "to show where it pays.",
                 eurographics_sparse},
      Experiment{"eurographics-e11", "One Newton iteration at high stiffness", "Eurographics 2002, 2.4",
                 "The same sheet with springs a hundred times stiffer each time: what one linear solve "
                 "leaves of the residual of implicit Euler. A step of linear implicit Euler is compared "
                 "with the first Newton iterate of (58) in positions and velocities, which begins at x0 "
                 "and v0, on 7 x 7 particles. The iterates of heddle begin at x0 + h v0: another "
                 "linearisation by construction, shown as a figure.",
                 eurographics_single},
      Experiment{
          "eurographics-2.2", "Iterations of nonlinear solvers", "Eurographics 2002, 2.2",
          "Claims of the section that belong to no example: fixed-point iteration, linear solves that get "
          "ever more exact, steps that follow the count of Newton's method. Backward Euler on a swinging "
          "sheet of springs.",
          eurographics_iterations},
  };
  return kAll;
}

Method known_method(const std::string& text) {
  return find_method(text, make_catalogue()).value();
}

std::string bdf_of_order(int order) {
  return fmt::format(R"({{"type": "bdf", "order": {}}})", order);
}

double stable_limit(const StudyProblem& problem, const Method& method, double longest) {
  // Near the limit a stable motion may hold hundreds of times the energy for a while.
  const CriticalSearch search{
      .shortest = 1e-4, .longest = longest, .steps = 20000, .margin = 1000, .precision = 1e-3};
  return critical_step(problem, method, search).value_or(0);
}

double measured_order(const StudyProblem& problem, const Method& method, double longest, int halvings,
                      double rounding) {
  State nothing = problem.model().state;
  nothing.time = problem.duration;
  nothing.x[0] = nothing.v[0] = Vec3::Zero();
  const double scale = problem.error(nothing);
  std::vector<ErrorAtStep> errors;
  for (const ErrorAtStep& e : convergence(problem, method, halved_steps(longest, halvings)).errors)
    if (std::isfinite(e.error) && e.error > rounding * scale) errors.push_back(e);
  if (errors.size() < 2) return 0;
  const ErrorAtStep& longer = errors[errors.size() - 2];
  const ErrorAtStep& shorter = errors.back();
  return std::log(longer.error / shorter.error) / std::log(longer.step / shorter.step);
}

StudyProblem wave_problem() {
  const Oscillator oscillator{.stiffness = 5};
  StudyProblem problem = find_problem("wave")->make();
  problem.error = [oscillator](const State& state) {
    return (oscillator.at(state.time) - Vec2(state.x[0][0], state.v[0][0])).norm();
  };
  return problem;
}

}  // namespace heddle
