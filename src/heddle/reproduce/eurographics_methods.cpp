#include <heddle/reproduce/eurographics.h>

#include <heddle/study/amplification.h>
#include <heddle/study/critical_step.h>

#include <fmt/core.h>

#include <cmath>
#include <limits>

namespace heddle {

namespace {

/// Steps are halved from the limit of stability on, or from this share of the duration.
constexpr double kLongestShare = 0.125;

struct Known {
  const char* name;
  const char* method;
  int order;
};

constexpr Known kExplicit[] = {{"explicit Euler", "explicit_euler", 1},
                               {"explicit midpoint", "explicit_midpoint", 2},
                               {"RK4", "rk4", 4}};

struct Limits {
  const char* problem;
  double published[3];  // s, of the explicit methods
};

constexpr Limits kLimits[] = {{"decay", {0.1333, 0.1333, 0.1857}},
                              {"overdamped", {0.4508, 0.4508, 0.6278}},
                              {"damped_spring", {0.0100, 0.0400, 0.0935}}};

double error_with(const StudyProblem& problem, const Method& method, double step) {
  const Course course = advance_to_end(problem, method, step);
  return course.is_sound ? problem.error(course.end) : std::numeric_limits<double>::infinity();
}

constexpr Known kImplicit[] = {{"implicit Euler", "implicit_euler", 1},
                               {"implicit midpoint", kUndampedMidpoint, 2},
                               {"BDF2", R"({"type": "bdf", "order": 2})", 2}};

/// Largest value of the exact solution that errors are measured in; all begin with it or soon have it.
double largest_value(const StudyProblem& problem) {
  State state = problem.model().state;
  state.x[0] = state.v[0] = Vec3::Zero();
  double largest = 0;
  for (int k = 0; k <= 1000; ++k) {
    state.time = problem.duration * k / 1000;
    largest = std::max(largest, problem.error(state));
  }
  return largest;
}

/// Is it bounded with steps of a hundredth of the duration up to a hundred of them?
bool is_always_bounded(const StudyProblem& problem, const Method& method) {
  for (double share = 0.01; share < 150; share *= 3)
    if (!is_stable(problem, method, share * problem.duration, {.steps = 1000, .margin = 10})) return false;
  return true;
}

void measure_lagged_verlet(int halvings, Findings& findings, Worst& order, bool& has_limit) {
  const Limits published[] = {{"overdamped", {0.3664}}, {"damped_spring", {0.0540}}};
  const Method verlet = known_method(kLeapfrog);
  for (const Limits& limits : published) {
    const StudyProblem problem = find_problem(limits.problem)->make();
    const double limit = stable_limit(problem, verlet, problem.duration);
    const double slope = measured_order(problem, verlet, limit / 4, halvings);
    findings.figures.push_back({fmt::format("{}, Verlet: longest stable step", limits.problem),
                                fmt::format("{:.4f} s", limits.published[0]),
                                fmt::format("{:.4f} s; order {:.3f}", limit, slope)});
    has_limit = has_limit || limit < problem.duration;
    order.see(std::abs(slope - 2), fmt::format("order {:.2f} on {}", slope, limits.problem));
  }
}

/// Fewest flops of the computations whose error is at most that; infinite if none is.
double cheapest(const Convergence& computations, double error) {
  double flops = std::numeric_limits<double>::infinity();
  for (const ErrorAtStep& e : computations.errors)
    if (e.error <= error) flops = std::min(flops, e.work.flops);
  return flops;
}

std::string flops_text(double flops) {
  return std::isfinite(flops) ? fmt::format("{:.1e}", flops) : "not reached";
}

/// The smallest amplification of explicit Euler on the wave, less 1, over steps of 1 ms to 1 s.
double least_growth_of_euler() {
  double least = std::numeric_limits<double>::infinity();
  for (double h = 1e-3; h <= 1; h *= 2)
    least = std::min(least, amplification(known_method("explicit_euler"), {0, h * std::sqrt(5.0)}) - 1);
  return least;
}

}  // namespace

Result<Findings> eurographics_explicit(const Effort& effort) {
  const int halvings = effort.quick ? 9 : 12;
  Findings findings;
  Worst order_error, limit_error, tamest;
  for (const Known& known : kExplicit) {
    const double order =
        measured_order(find_problem("growth")->make(), known_method(known.method), kLongestShare, halvings);
    findings.figures.push_back({fmt::format("growth, {}: order", known.name), fmt::format("{}", known.order),
                                fmt::format("{:.3f}", order)});
    order_error.see(std::abs(order - known.order), fmt::format("{} on growth", known.name));
  }
  for (const Limits& limits : kLimits) {
    const StudyProblem problem = find_problem(limits.problem)->make();
    effort.progress(limits.problem);
    for (size_t k = 0; k < std::size(kExplicit); ++k) {
      const Known& known = kExplicit[k];
      const Method method = known_method(known.method);
      const double limit = stable_limit(problem, method, problem.duration);
      const double order = measured_order(problem, method, limit / 4, halvings);
      const double above = error_with(problem, method, 1.5 * limit);
      const double below = error_with(problem, method, limit / 4);
      const std::string name = fmt::format("{}, {}", limits.problem, known.name);
      findings.figures.push_back(
          {name + ": longest stable step", fmt::format("{:.4f} s", limits.published[k]),
           fmt::format("{:.4f} s; order {:.3f}; error {:.1e} with 1.5 of it, {:.1e} with 1/4", limit, order,
                       above, below)});
      limit_error.see(std::abs(limit / limits.published[k] - 1), name);
      order_error.see(std::abs(order - known.order), name);
      tamest.see(below / above, name);
    }
  }
  findings.claims = {
      {"slopes are the orders 1, 2, 4", "straight lines",
       fmt::format("largest difference {:.3f}, {}", order_error.value, order_error.where),
       order_error.value < kOrderTolerance},
      {"steps have the limit that the stability function gives", "figure 8 (b) to (d)",
       fmt::format("largest difference {:.2f} %, {}", 100 * limit_error.value, limit_error.where),
       limit_error.value < 0.01},
      {"above the limit results are totally wrong", "figure 8 (b) to (d)",
       fmt::format("errors at least {:.0f} times those of 1/4 of it, {}", 1 / tamest.value, tamest.where),
       tamest.value < 0.1}};
  return findings;
}

Result<Findings> eurographics_implicit(const Effort& effort) {
  const int halvings = effort.quick ? 8 : 11;
  Findings findings;
  Worst order_error, verlet_error, euler_error;
  std::string unbounded;
  for (const char* name : {"growth", "decay", "overdamped", "damped_spring"}) {
    const StudyProblem problem = find_problem(name)->make();
    const bool decays = std::string_view(name) != "growth";
    const double longest = std::string_view(name) == "damped_spring" ? 0.01 : problem.duration / 64;
    effort.progress(name);
    for (const Known& known : kImplicit) {
      const Method method = known_method(known.method);
      const double order = measured_order(problem, method, longest, halvings);
      findings.figures.push_back({fmt::format("{}, {}: order", name, known.name),
                                  fmt::format("{}", known.order), fmt::format("{:.3f}", order)});
      order_error.see(std::abs(order - known.order), fmt::format("{} on {}", known.name, name));
      if (decays && !is_always_bounded(problem, method))
        unbounded += fmt::format(" {} on {}", known.name, name);
    }
    for (int k = 0; decays && k < 12; ++k)
      euler_error.see(error_with(problem, known_method("implicit_euler"), std::ldexp(problem.duration, -k)) /
                          largest_value(problem),
                      name);
  }
  bool has_limit = false;
  measure_lagged_verlet(halvings, findings, verlet_error, has_limit);
  findings.claims = {
      {"implicit methods never lose stability", "any step",
       unbounded.empty() ? "bounded with steps of 0.01 to 100 durations" : "unbounded:" + unbounded,
       unbounded.empty()},
      {"their slopes are the orders 1, 2, 2", "smooth convergence",
       fmt::format("largest difference {:.3f}, {}", order_error.value, order_error.where),
       order_error.value < kOrderTolerance},
      {"implicit Euler is never off by orders of magnitude", "never",
       fmt::format("with any step at most {:.2f} of the largest value, {}", euler_error.value,
                   euler_error.where),
       euler_error.value < 10},
      {"Verlet with damping does not lose stability either", "figure 10",
       has_limit ? "it has limits, see above" : "no limit found", !has_limit},
      {"Verlet with damping is of order 2", "2", verlet_error.where, verlet_error.value < kOrderTolerance}};
  return findings;
}

Result<Findings> eurographics_wave(const Effort& effort) {
  constexpr double kErrors[] = {1e-1, 1e-2, 1e-3, 1e-4};
  const int halvings = effort.quick ? 11 : 15;
  const StudyProblem wave = wave_problem();
  const Method verlet = known_method(kLeapfrog);
  const std::vector<double> steps = halved_steps(wave.duration / 12, halvings);
  const Convergence of_verlet = convergence(wave, verlet, steps);
  std::vector<double> best(std::size(kErrors), std::numeric_limits<double>::infinity());
  Findings findings;
  const auto show = [&](const char* name, const Convergence& computations) {
    std::string ours;
    for (size_t k = 0; k < std::size(kErrors); ++k) {
      const double flops = cheapest(computations, kErrors[k]);
      if (&computations != &of_verlet) best[k] = std::min(best[k], flops);
      ours += (k > 0 ? ", " : "") + flops_text(flops);
    }
    findings.figures.push_back({fmt::format("flops for errors of 0.1 to 0.0001, {}", name), "", ours});
  };
  show("Verlet", of_verlet);
  show("explicit Euler", convergence(wave, known_method("explicit_euler"), steps));
  for (const Known& known : kImplicit) show(known.name, convergence(wave, known_method(known.method), steps));
  Worst ratio;
  for (size_t k = 0; k < std::size(kErrors); ++k)
    ratio.see(cheapest(of_verlet, kErrors[k]) / best[k], fmt::format("error {:g}", kErrors[k]));

  const double limit = stable_limit(wave, verlet, 10), rk4 = stable_limit(wave, known_method("rk4"), 10);
  const double order = measured_order(wave, verlet, wave.duration / 100, halvings - 3);
  const double growth = least_growth_of_euler();
  findings.figures.push_back(
      {"longest stable step of Verlet", "2/sqrt(5) = 0.8944 s", fmt::format("{:.4f} s", limit)});
  findings.figures.push_back({"longest stable step of RK4", "1.2649 s", fmt::format("{:.4f} s", rk4)});
  findings.claims = {
      {"Verlet is one of the best choices for the wave", "over a wide range",
       fmt::format("at most {:.2f} times the flops of the best other, {}", ratio.value, ratio.where),
       ratio.value <= 1},
      {"Verlet is of order 2", "2", fmt::format("{:.3f}", order), std::abs(order - 2) < kOrderTolerance},
      {"explicit Euler is never stable", "never", fmt::format("a step grows by at least {:.1e}", growth),
       growth > 0},
      {"Verlet is bounded for every step (as printed)", "any h > 0",
       fmt::format("up to {:.4f} s, h omega = {:.3f}", limit, limit * std::sqrt(5.0)), limit >= 10}};
  return findings;
}

}  // namespace heddle
