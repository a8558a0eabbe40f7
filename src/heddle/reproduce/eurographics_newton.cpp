#include <heddle/integrate/implicit_euler.h>
#include <heddle/reproduce/dense.h>
#include <heddle/reproduce/eurographics.h>
#include <heddle/reproduce/stage.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

constexpr double kStep = 0.01;               // s
constexpr double kSoft = 10, kStiff = 1000;  // N/m

/// Dampers act on slack springs too, and bend springs are as soft near rest as their polynomial allows:
/// forces that jump where a spring gets slack leave the equations of a step without a solution.
ParticleModel sheet(double stiffness, int side = 20, bool pushes = false) {
  return make_spring_sheet({.columns = side,
                            .rows = side,
                            .stretch_stiffness = stiffness,
                            .shear_stiffness = stiffness,
                            .stretch_damping = 1e-3,
                            .shear_damping = 1e-3,
                            .bend_stiffness = 1e-5,
                            .rules = {.resists_compression = pushes, .damps_slack = true},
                            .holds_corner = {false, false, true, true},
                            .bend_linear_stiffness = 0});
}

double largest_distance(const State& a, const State& b) {
  double largest = 0;
  for (size_t i = 0; i < a.x.size(); ++i) largest = std::max(largest, (a.x[i] - b.x[i]).norm());
  return largest;
}

struct Swing {
  bool is_sound = true;
  std::int64_t iterations = 0;
  State end;
};

/// Implicit Euler with linear solves that leave that part of their residuals.
Swing swing_with(double forcing, int steps, double stiffness = kSoft) {
  constexpr int kMostSolves = 200;
  ParticleModel model = sheet(stiffness);
  ImplicitEulerIntegrator integrator({.linear = {.preconditioner = "block_jacobi", .tolerance = 1e-6},
                                      .newton = {.most_solves = kMostSolves, .forcing = forcing}});
  const VelocityFilter filter = model.filter();
  std::vector<Vec3> reaction(model.state.x.size());
  Swing swing;
  for (int k = 0; k < steps && swing.is_sound; ++k) {
    const StepReport report = integrator.step(*model.system, filter, {}, kStep, model.state, reaction);
    swing.iterations += report.solver_iterations;
    swing.is_sound = report.outcome == StepOutcome::accepted;
  }
  swing.end = std::move(model.state);
  return swing;
}

Method implicit_euler_with(const char* newton) {
  return known_method(fmt::format(
      R"({{"type": "implicit_euler", "newton": "{}", "newton_iterations": 500, "tolerance": 1e-6,
           "preconditioner": "block_jacobi"}})",
      newton));
}

/// |M (v_1 - v_0) - h f(x_1, v_1)| over free particles after one step of a swing, relative to |M (v_1 -
/// v_0)|.
double residual_after(const Method& method, double stiffness, int steps) {
  const ParticleModel model = sheet(stiffness);
  State before = model.state, after = model.state;
  advance(sheet(stiffness), method, kStep, steps, [&](const State& state) {
    before = std::exchange(after, state);
    return true;
  });
  std::vector<Vec3> force(after.x.size());
  model.system->force(configuration_of(after), force);
  double lack = 0, change = 0;
  for (size_t i = 0; i < force.size(); ++i) {
    if (std::find(model.held.begin(), model.held.end(), static_cast<int>(i)) != model.held.end()) continue;
    const Vec3 momentum = model.system->mass()[i] * (after.v[i] - before.v[i]);
    lack += (momentum - kStep * force[i]).squaredNorm();
    change += momentum.squaredNorm();
  }
  return std::sqrt(lack / change);
}

/// stiffness K + damping D + mass M at a state, in the form that the integrators use.
DenseMatrix jacobian(const System& system, const State& state, double stiffness, double damping) {
  BlockMatrix matrix(system.pattern()), constant(system.pattern());
  std::vector<Vec3> force(state.x.size()), product = force, external = force;
  system.constant_matrix(stiffness, damping, constant);
  system.linearise(configuration_of(state), constant,
                   {.stiffness_scale = stiffness,
                    .damping_scale = damping,
                    .matrix = &matrix,
                    .force = force,
                    .stiffness_velocity = product},
                   external);
  return dense_matrix(matrix);
}

/// The first Newton iterate of (58) from the state itself, in positions and velocities at once:
/// s_x - h s_v = h v_0,  h K s_x + (M + h D) s_v = h f_0.
State first_iterate(const ParticleModel& model, double h) {
  const State& state = model.state;
  const size_t n = 3 * state.x.size();
  const DenseMatrix mass = jacobian(*model.system, state, 0, 0), stiff = jacobian(*model.system, state, 1, 0),
                    damped = jacobian(*model.system, state, 0, h);
  std::vector<Vec3> force(state.x.size());
  model.system->force(configuration_of(state), force);
  DenseMatrix a(2 * n, std::vector<double>(2 * n));
  std::vector<double> b(2 * n);
  for (size_t i = 0; i < n; ++i) {
    const auto particle = static_cast<int>(i / 3);
    const bool is_held = std::find(model.held.begin(), model.held.end(), particle) != model.held.end();
    a[i][i] = 1;
    if (is_held) {
      a[n + i][n + i] = 1;
      continue;
    }
    a[i][n + i] = -h;
    b[i] = h * state.v[i / 3][static_cast<int>(i % 3)];
    b[n + i] = h * force[i / 3][static_cast<int>(i % 3)];
    for (size_t j = 0; j < n; ++j) {
      a[n + i][j] = h * (stiff[i][j] - mass[i][j]);
      a[n + i][n + j] = damped[i][j];
    }
  }
  const std::vector<double> s = solve_dense(std::move(a), std::move(b));
  State out = state;
  for (size_t i = 0; i < out.x.size(); ++i) out.x[i] += Vec3(s[3 * i], s[3 * i + 1], s[3 * i + 2]);
  return out;
}

/// Whether Newton's method ends in all steps with stiff springs.
std::string stiff_outcomes(int steps) {
  const auto outcome = [&](const char* newton, bool pushes) {
    const Course course = advance(sheet(kStiff, 20, pushes), implicit_euler_with(newton), kStep, steps);
    return course.is_sound ? "converges" : fmt::format("a step fails at {:.2f} s", course.end.time);
  };
  return outcome("sparse", false) + ", " + outcome("inexact", false) + ", " + outcome("inexact", true);
}

/// Seconds of 0.1 s with steps of half a millisecond.
double short_steps(const char* newton) {
  return advance(sheet(kSoft, 40), implicit_euler_with(newton), 5e-4, 200).work.seconds;
}

/// `ratio`: of the times with the full Jacobian and the stand-in at the usual step.
void judge_speed(double ratio, Findings& findings) {
  const double exact = short_steps("inexact"), kept = short_steps("simplified"), part = short_steps("sparse");
  findings.figures.push_back(
      {"steps of 0.5 ms, 40 x 40 particles: seconds with the first full Jacobian of a step", "",
       fmt::format("{:.3f}, with a new one each time {:.3f}", kept, exact)});
  findings.claims.push_back(
      {"the stand-in is faster", "major speed-up", fmt::format("{:.2f} times", ratio), ratio > 1});
  findings.claims.push_back({"the stand-in is faster with steps of 0.5 ms", "major speed-up",
                             fmt::format("{:.2f} times", exact / part), part < exact});
}

}  // namespace

Result<Findings> eurographics_inexact(const Effort& effort) {
  const int steps = effort.quick ? 20 : 100;
  const Swing tight = swing_with(1e-6, steps);
  Findings findings;
  bool all_converge = true;
  Swing chosen;
  for (const double eta : {1e-6, 0.02, 0.1, 0.5, 0.9}) {
    const Swing swing = swing_with(eta, steps);
    all_converge = all_converge && swing.is_sound;
    if (eta == 0.02) chosen = swing;
    findings.figures.push_back(
        {fmt::format("eta = {:g}", eta), "",
         fmt::format("{}{} iterations, {:.1e} m beside the tight one", swing.is_sound ? "" : "failed, ",
                     swing.iterations, largest_distance(swing.end, tight.end))});
  }
  const bool stiff_converges = swing_with(1e-6, steps, kStiff).is_sound;
  const bool stagnates = !swing_with(1, steps).is_sound;
  findings.claims = {
      {"with springs of 1000 N/m tight solves converge too", "converges quickly",
       stiff_converges ? "they do" : "a step does not converge", stiff_converges},
      {"it converges for every eta < 1", "eta < 1", all_converge ? "all did" : "not all did", all_converge},
      {"eta = 1 need not converge", "s = 0 is allowed", stagnates ? "it stagnates" : "it converged",
       stagnates},
      {"eta = 0.02 costs less than tight solves", "converges quickly",
       fmt::format("{} iterations, tight {}", chosen.iterations, tight.iterations),
       chosen.is_sound && chosen.iterations < tight.iterations}};
  return findings;
}

Result<Findings> eurographics_sparse(const Effort& effort) {
  const int steps = effort.quick ? 10 : 50, side = 20;
  const ParticleModel model = sheet(kSoft, side);
  const double blocks = model.system->pattern().block_count(), rows = side * side;
  // Springs to neighbours, across cells, and over one neighbour (Provot).
  const double provot =
      rows + 4.0 * side * (side - 1) + 4.0 * (side - 1) * (side - 1) + 4.0 * side * (side - 2);
  const double along_threads = rows + 4.0 * side * (side - 1);
  const Course full = advance(sheet(kSoft, side), implicit_euler_with("inexact"), kStep, steps);
  const Course sparse = advance(sheet(kSoft, side), implicit_euler_with("sparse"), kStep, steps);
  const double ratio = along_threads / provot, distance = largest_distance(full.end, sparse.end);
  const double builds = static_cast<double>(sparse.work.linearisations) / steps;
  Findings findings;
  findings.figures = {
      {"numbers in our stand-in against the full Jacobian", "",
       fmt::format("{:.3f}", (9 * rows + blocks - rows) / (9 * blocks))},
      {"iterations, stand-in and full", "",
       fmt::format("{}, {}", sparse.work.iterations, full.work.iterations)},
      {"seconds, stand-in and full", "major speed-up",
       fmt::format("{:.3f}, {:.3f}", sparse.work.seconds, full.work.seconds)},
      {"at 1000 N/m: stand-in, full, full with springs that also push", "", stiff_outcomes(steps)},
      {"Jacobians made, stand-in and full", "",
       fmt::format("{}, {}", sparse.work.linearisations, full.work.linearisations)}};
  findings.claims = {
      {"blocks along threads are a third of all", "0.404 to 0.387 by counting",
       fmt::format("{:.3f} of {:.0f}", ratio, provot), ratio > 0.387 && ratio < 0.404},
      {"the result is that of the full Jacobian", "within the tolerance",
       fmt::format("{}{:.1e} m apart", sparse.is_sound && full.is_sound ? "" : "failed, ", distance),
       sparse.is_sound && full.is_sound && distance < 1e-4},
      {"the Jacobian is made again only if K, D or h change", "constant",
       fmt::format("{:.1f} times a step", builds), builds * steps <= 2}};
  if (!effort.quick) judge_speed(full.work.seconds / sparse.work.seconds, findings);
  return findings;
}

Result<Findings> eurographics_single(const Effort& effort) {
  const int steps = effort.quick ? 20 : 100;
  const Method once = implicit_euler_with("once");
  Findings findings;
  std::vector<double> left;
  for (const double stiffness : {10.0, 1e3, 1e5}) {
    left.push_back(residual_after(once, stiffness, steps));
    const double converged = residual_after(implicit_euler_with("inexact"), stiffness, steps);
    findings.figures.push_back(
        {fmt::format("residual at {:g} N/m, one solve; the last that converged", stiffness), "",
         fmt::format("{:.1e}, {}", left.back(),
                     std::isfinite(converged) ? fmt::format("{:.1e}", converged) : "none did")});
  }
  constexpr int kFew = 7;  // a side: the equations of both are solved densely
  const Method linear = known_method(R"({"type": "semi_implicit_euler", "tolerance": 1e-9})");
  ParticleModel small = sheet(kSoft, kFew);
  small.state = advance(sheet(kSoft, kFew), once, kStep, steps).end;
  const auto step_by = [&](const Method& method) {
    ParticleModel model = sheet(kSoft, kFew);
    model.state = small.state;
    return advance(std::move(model), method, kStep, 1).end;
  };
  const State stepped = step_by(linear);
  const double distance = largest_distance(stepped, first_iterate(small, kStep));
  findings.figures.push_back({"linear implicit Euler and the iterate that begins at x0 + h v0",
                              "not the same",
                              fmt::format("{:.1e} m apart", largest_distance(stepped, step_by(once)))});
  findings.claims = {{"linear implicit Euler is the first Newton iterate", "the same",
                      fmt::format("{:.1e} m apart", distance), distance < 1e-8},
                     {"one iteration has problems at high stiffness", "qualitative",
                      fmt::format("residual {:.1e} at 1e5 N/m, {:.1e} at 10 N/m", left.back(), left.front()),
                      left.back() > 10 * left.front()}};
  return findings;
}

}  // namespace heddle
