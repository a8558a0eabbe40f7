#include <heddle/reproduce/eurographics.h>

#include <fmt/core.h>

#include <cmath>
#include <limits>

namespace heddle {

namespace {

constexpr double kSameDigits = 1e-8;  // what is left of numbers given with nine digits

bool agrees(double a, double b) {
  return std::abs(a - b) <= kSameDigits * std::max(1e-4, std::abs(b));
}

/// y' = lambda y from 1, as the velocity of a particle.
Oscillator test_equation(double lambda) {
  return {.damping = -lambda, .position = 0, .velocity = 1};
}

/// Position and velocity at that time after steps of rk4 of about dt, s.
Vec2 integrated(const Oscillator& oscillator, double time, double dt) {
  const int steps = steps_to_end(time, dt);
  const State end = advance(oscillator.model(), known_method("rk4"), time / steps, steps).end;
  return {end.x[0][0], end.v[0][0]};
}

/// The solution printed for example 2.
double printed_solution(double t) {
  const double root = std::sqrt(15.0);
  return root / 15 * (std::exp((-5 + root) * t / 2) - std::exp(-(5 + root) * t / 2));
}

/// Largest distance from the resting place while implicit Euler takes steps of dt, m; infinite if it fails.
double largest_excursion(const StudyProblem& problem, double dt, double centre) {
  constexpr int kFewest = 20;
  double largest = 0;
  const Course course =
      advance(problem.model(), known_method("implicit_euler"), dt,
              std::max(kFewest, steps_to_end(problem.duration, dt)), [&](const State& state) {
                largest = std::max(largest, std::abs(state.x[0][0] - centre));
                return true;
              });
  return course.is_sound ? largest : std::numeric_limits<double>::infinity();
}

double largest_exact_excursion(const Oscillator& oscillator, double duration) {
  double largest = 0;
  for (double t = 0; t < duration; t += 1e-4)
    largest = std::max(largest, std::abs(oscillator.at(t)[0] - oscillator.rest));
  return largest;
}

}  // namespace

Result<Findings> eurographics_test_equation(const Effort&) {
  Findings findings;
  double formula_error = 0, stepped_error = 0;  // relative
  for (const double lambda : {2.0, -15.0}) {
    const double exact = std::exp(lambda), ours = test_equation(lambda).at(1)[1];
    const double stepped = integrated(test_equation(lambda), 1, 1e-3)[1];
    formula_error = std::max(formula_error, std::abs(ours / exact - 1));
    stepped_error = std::max(stepped_error, std::abs(stepped / exact - 1));
    findings.figures.push_back({fmt::format("y(1) for lambda = {}", lambda), fmt::format("{:.9g}", exact),
                                fmt::format("{:.9g}; rk4 with 1000 steps {:.9g}", ours, stepped)});
  }
  const StudyProblem decay = find_problem("decay")->make();
  const double limit = stable_limit(decay, known_method("explicit_euler"), 1);
  findings.figures.push_back({"longest stable step of explicit_euler, lambda = -15",
                              "2/15 = 0.1333 s (|1 + h lambda| < 1)", fmt::format("{:.4f} s", limit)});
  findings.claims = {{"the solution is e^(lambda t)", "e^2, e^-15",
                      fmt::format("within {:.0e} of it", formula_error), formula_error < kSameDigits},
                     {"a method of higher order comes to it", "e^2, e^-15",
                      fmt::format("rk4: within {:.0e} of it", stepped_error), stepped_error < 1e-6},
                     {"explicit Euler needs h < 1/|lambda| (as printed)", "0.0667 s",
                      fmt::format("stable up to {:.4f} s = {:.3f}/|lambda|", limit, 15 * limit),
                      std::abs(15 * limit - 1) < 0.01}};
  return findings;
}

Result<Findings> eurographics_overdamped(const Effort&) {
  const Oscillator corrected{.stiffness = 2.5, .damping = 5, .position = 0, .velocity = 1};
  const Oscillator as_printed{.stiffness = -2.5, .damping = -5, .position = 0, .velocity = 1};
  const Vec2 exact = corrected.at(10), stepped = integrated(corrected, 10, 1e-3);
  const double printed = printed_solution(10), grown = integrated(as_printed, 10, 1e-3)[0];
  const double root = std::sqrt(25.0 - 10.0);
  Findings findings;
  findings.figures = {
      {"eigenvalues", "-0.56351, -4.43649", fmt::format("{:.5f}, {:.5f}", (-5 + root) / 2, (-5 - root) / 2)},
      {"y(10)", "9.2186813e-4", fmt::format("{:.8g}; rk4 with 10 000 steps {:.8g}", exact[0], stepped[0])},
      {"y'(10)", "-5.1948037e-4", fmt::format("{:.8g}; rk4 {:.8g}", exact[1], stepped[1])}};
  findings.claims = {
      {"the printed solution solves it with lambda = -5", fmt::format("{:.8g}", printed),
       fmt::format("{:.8g}", stepped[0]), agrees(stepped[0], printed) && agrees(exact[0], printed)},
      {"the printed solution solves it with lambda = 5 (as printed)", fmt::format("{:.8g}", printed),
       fmt::format("{:.4g}: it grows", grown), agrees(grown, printed)}};
  return findings;
}

Result<Findings> eurographics_spring(const Effort&) {
  constexpr double kRest = -1.01, kLargeSteps[] = {0.03, 0.1, 1, 10, 100};  // m, s
  const Oscillator spring{
      .mass = 0.1, .stiffness = 100, .damping = 1, .rest = kRest, .position = -1, .velocity = -5};
  const StudyProblem problem = find_problem("damped_spring")->make();
  const Vec2 exact = spring.at(2), stepped = integrated(spring, 2, 1e-4);
  const double rate = -0.5 * spring.damping / spring.mass;
  const double frequency = std::sqrt(spring.stiffness / spring.mass - rate * rate);
  const double amplitude = largest_exact_excursion(spring, problem.duration);
  double excursion = 0;
  for (const double dt : kLargeSteps) excursion = std::max(excursion, largest_excursion(problem, dt, kRest));
  Findings findings;
  findings.figures = {
      {"eigenvalues", "-5 +- 31.225 i", fmt::format("{:g} +- {:.3f} i", rate, frequency)},
      {"resting place", "-1.01", fmt::format("{:.4f}", spring.at(1000)[0])},
      {"z(2)", "-1.0099968966", fmt::format("{:.10f}; rk4 with 20 000 steps {:.10f}", exact[0], stepped[0])},
      {"z'(2)", "-2.18776e-4", fmt::format("{:.6g}; rk4 {:.6g}", exact[1], stepped[1])}};
  findings.claims = {{"the exact solution", "-1.0099968966", fmt::format("{:.10f}", stepped[0]),
                      agrees(exact[0], -1.0099968966) && agrees(stepped[0], -1.0099968966)},
                     {"implicit Euler with large steps stays stable", "figure 7 (b)",
                      fmt::format("with steps of 0.03 to 100 s at most {:.3f} m from rest; exactly {:.3f} m",
                                  excursion, amplitude),
                      excursion <= amplitude}};
  return findings;
}

}  // namespace heddle
